// Why a cut shows no field in some bodies, in a few words for the legend.

const reasons = { render: 'render surfaces', size: 'too many tets', live: 'live frames hold surfaces only' };
const mostNames = 3;

// Lines, most often none.
export function cutNotes(run, { clip, hidden, shown }) {
  if (!clip || run.modes || run.subspace) return [];
  if (run.live) return [`cuts grey: ${reasons.live}`];
  const bodies = run.header.objects.filter((o) => o.kind === 'body' && !o.open && !hidden.has(o.name));
  const grey = bodies.filter((o) => !o.inside || shown?.withoutInside);
  const kinds = [...new Set(grey.map((o) => reasons[o.solid] ?? 'no values inside'))];
  return kinds.map((kind) => {
    const names = grey.filter((o) => (reasons[o.solid] ?? 'no values inside') === kind).map((o) => o.name);
    const list = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', …' : '');
    return `cut grey in ${list}: ${kind}`;
  });
}
