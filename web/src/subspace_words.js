// What a reduced method computes in, in words, by the scene with its defaults (docs/scene.md, solver).
const modeKinds = ['linear', 'derivatives', 'inertia', 'inertia_derivatives', 'quadratic'];
const fromFile = (kind) => kind.endsWith('.npz');
const usualModes = 30;

const counted = (number, what) => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;

// As a table's rows; none for methods that compute with all vertices or choose their subspace in each step.
export function subspaceRows(scene, method) {
  const { subspace, handles, domains, cubature, warping } = scene?.solver ?? {};
  if (!['reduced', 'mixed'].includes(method) || !subspace) return [];
  const kinds = [subspace].flat();
  const rule = cubature?.rule ?? (typeof cubature === 'string' ? cubature : null);
  if (!kinds.every((kind) => modeKinds.includes(kind) || fromFile(kind))) {
    const many = typeof handles === 'number' ? counted(handles, 'handle') : null;
    const full = 'none: every vertex has its own unknowns';
    return [['subspace', subspace === 'full' ? full : [subspace, many].filter(Boolean).join(', ')]];
  }
  const number = typeof handles === 'number' ? handles : usualModes;
  const divided = domains > (scene.bodies?.length ?? 1); // each connected body is one domain at least
  const most = handles === 'auto' || divided ? 'up to ' : ''; // small parts have fewer
  const where = divided ? `each of ${counted(domains, 'domain')}` : 'each connected body';
  return [
    ['subspace', kinds.map((kind) => (fromFile(kind) ? kind.split('/').at(-1) : kind)).join(' + ')],
    ['modes', `${most}${number}${kinds.length > 1 ? ' of each kind' : ''} in ${where}`],
    warping ? ['elasticity', 'linear, warped'] : ['cubature', rule ?? 'energies'],
  ];
}
