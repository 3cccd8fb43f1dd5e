"""A vectorised environment with reset(seed) and step(actions), as in Gymnasium. It needs nothing but numpy.

A pole of rubber stands on a base. An action is the sideways gravity on the pole; the reward is higher the straighter it
stands.
"""

import numpy as np

import sinew


class VectorEnv:
    """n poles. Observations (n, 6): position and velocity of the tip. Actions (n, 2) in [-1, 1]."""

    steps_of_episode = 50

    def __init__(self, n, seed=0):
        scene = sinew.Scene()
        scene.time = {"step": 0.02}
        scene.solver = {"method": "reduced", "handles": 6}
        scene.contact = {"enabled": False}
        scene.add_material("rubber", young=2e5, poisson=0.4)
        pole = scene.add_body(sinew.box([0.04, 0.4, 0.04], cells=(2, 16, 2)), "rubber", name="pole")
        scene.add_fix(pole, {"halfspace": {"point": [0, -0.199, 0], "normal": [0, -1, 0]}})
        self.batch = sinew.Batch(scene, n, seed=seed)
        self.tip = int(np.argmax(self.batch[0].bodies["pole"].rest_positions[:, 1]))
        self.rest = self.batch[0].bodies["pole"].rest_positions[self.tip]
        self.taken = np.zeros(n, dtype=int)

    def observe(self):
        return np.array([np.concatenate([sim.bodies["pole"].positions[self.tip] - self.rest,
                                         sim.bodies["pole"].velocities[self.tip]]) for sim in self.batch])  # yapf: disable

    def reset(self, seed=None, which=None):
        """Resets all poles, or those in `which`, with a random push. Returns observations and infos."""
        if seed is not None:
            self.rngs = [np.random.default_rng([seed, k]) for k in range(len(self.batch))]
        elif not hasattr(self, "rngs"):
            self.rngs = self.batch.rngs
        chosen = range(len(self.batch)) if which is None else which
        self.batch.reset(chosen)
        for k in chosen:
            push = self.rngs[k].normal(0, 0.2, 2)
            sim = self.batch[k]
            height = (sim.bodies["pole"].rest_positions[:, 1:2] + 0.2) / 0.4
            sim.velocities = height * np.array([push[0], 0, push[1]])
            self.taken[k] = 0
        return self.observe(), {}

    def step(self, actions):
        """Returns observations, rewards, terminated, truncated and infos. Ended episodes begin anew at once."""
        actions = np.clip(actions, -1, 1)
        self.batch.map(lambda sim, action: sim.set_gravity([5 * action[0], -9.81, 5 * action[1]]), actions)
        self.batch.step()
        self.taken += 1
        observations = self.observe()
        rewards = -np.linalg.norm(observations[:, :3], axis=1)
        terminated = np.linalg.norm(observations[:, :3], axis=1) > 0.3
        truncated = self.taken >= self.steps_of_episode
        ended = np.flatnonzero(terminated | truncated)
        infos = {"final_observation": observations[ended], "ended": ended}
        if len(ended):
            observations = self.reset(which=ended)[0]
        return observations, rewards, terminated, truncated, infos


if __name__ == "__main__":
    env = VectorEnv(4)
    observations, _ = env.reset(seed=1)
    total = 0
    for _ in range(30):
        actions = -4 * observations[:, [0, 2]] - 0.4 * observations[:, [3, 5]]  # a spring and a damper
        observations, rewards, terminated, truncated, _ = env.step(actions)
        total += rewards.sum()
    print(f"tips end {1000 * np.linalg.norm(observations[:, :3], axis=1).max():.0f} mm from rest, reward {total:.2f}")
