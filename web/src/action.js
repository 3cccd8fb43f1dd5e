// Where a run happens: what a camera should show of it.

const floorWeight = 0.2; // of a frame in which nothing moves, beside the mean motion of a frame
const leftOut = 0.08; // of the weight, at either end: a body that flies off does not make the others tiny

// The value below which a share of the weight lies.
function quantile(values, weights, share) {
  const order = values.map((_, i) => i).sort((i, j) => values[i] - values[j]);
  const whole = weights.reduce((a, b) => a + b, 0);
  let sum = 0;
  for (const i of order) {
    sum += weights[i];
    if (sum >= share * whole) return values[i];
  }
  return values[order.at(-1)];
}

// `focus`: of each frame the box that holds most vertices of the bodies, [[low x, y, z], [high x, y, z]]. The box of the
// action: low and high corners of these boxes, weighted by how far the corners move from frame to frame.
export function actionBox(focus) {
  const moved = focus.map((box, t) => {
    const before = focus[Math.max(t - 1, 0)];
    const ways = [0, 1].map((end) => Math.hypot(...box[end].map((c, a) => c - before[end][a])));
    return ways[0] + ways[1];
  });
  const mean = moved.reduce((a, b) => a + b, 0) / moved.length;
  const weights = moved.map((m) => m + floorWeight * mean + 1e-300);
  const corner = (end, share) => [0, 1, 2].map((a) => quantile(focus.map((box) => box[end][a]), weights, share));
  return [corner(0, leftOut), corner(1, 1 - leftOut)];
}
