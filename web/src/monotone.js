// The curve through control points as the engine has it (src/sinew/material/curve.cpp): cubics in Hermite form whose slopes
// keep it monotone wherever the points are (Fritsch and Butland 1984), linear beyond the ends.

const sameSign = (a, b) => (a > 0 && b > 0) || (a < 0 && b < 0);

function slopesAt(h, secant) {
  const last = h.length;
  const slopes = new Array(last + 1);
  for (let i = 1; i < last; ++i) {
    const wide = h[i - 1] + 2 * h[i];
    const narrow = 2 * h[i - 1] + h[i];
    const [before, after] = [secant[i - 1], secant[i]];
    slopes[i] = sameSign(before, after) ? (wide + narrow) / (wide / before + narrow / after) : 0;
  }
  const atEnd = (first, second) => {
    const [near, far] = [secant[first], secant[second]];
    const value = ((2 * h[first] + h[second]) * near - h[first] * far) / (h[first] + h[second]);
    if (!sameSign(value, near)) return 0;
    return !sameSign(near, far) && Math.abs(value) > 3 * Math.abs(near) ? 3 * near : value;
  };
  slopes[0] = last === 1 ? secant[0] : atEnd(0, 1);
  slopes[last] = last === 1 ? secant[0] : atEnd(last - 1, last - 2);
  return slopes;
}

// At least two points, x ascending. Returns y(x).
export function monotoneCubic(x, y) {
  const h = x.slice(1).map((next, i) => next - x[i]);
  const secant = h.map((width, i) => (y[i + 1] - y[i]) / width);
  const slope = slopesAt(h, secant);
  const last = x.length - 1;
  return (at) => {
    if (at <= x[0]) return y[0] + slope[0] * (at - x[0]);
    if (at >= x[last]) return y[last] + slope[last] * (at - x[last]);
    let i = 0;
    while (at >= x[i + 1]) ++i;
    const t = at - x[i];
    const q = (3 * secant[i] - 2 * slope[i] - slope[i + 1]) / h[i];
    const r = (slope[i] + slope[i + 1] - 2 * secant[i]) / h[i] ** 2;
    return y[i] + t * (slope[i] + t * (q + t * r));
  };
}
