// The programs of a picture, in GLSL 3.30.
#pragma once

namespace sinew::shaders {

// The vertices of surfaces, for all passes. Positions are relative to the scene's centre, colours linear in the light.
inline constexpr const char* surface_vertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
uniform mat4 to_camera, to_clip;
centroid out vec3 place, front;
centroid out vec4 base;
centroid out float depth;
void main() {
  place = position;
  front = normal;
  base = color;
  vec4 p = to_camera * vec4(position, 1);
  depth = p.z;
  gl_Position = to_clip * p;
}
)";

// One triangle over the whole picture.
inline constexpr const char* screen_vertex = R"(#version 330 core
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);
}
)";

inline constexpr const char* shadow_fragment = R"(#version 330 core
void main() {}
)";

// Depth, object and triangle.
inline constexpr const char* measure_fragment = R"(#version 330 core
centroid in float depth;
uniform int id;
layout(location = 0) out float z;
layout(location = 1) out ivec2 ids;
void main() {
  z = depth;
  ids = ivec2(id, gl_PrimitiveID);
}
)";

// Depth and object of a plane n . x = d in camera coordinates, where the ray through the pixel meets it.
inline constexpr const char* measure_plane_fragment = R"(#version 330 core
uniform vec3 plane_normal;
uniform float plane_offset, scale, farthest;
uniform vec2 middle, depth_map;  // the depth of the buffer is depth_map.x + depth_map.y z, or / z
uniform int id, orthographic;
layout(location = 0) out float z;
layout(location = 1) out ivec2 ids;
void main() {
  vec2 p = (gl_FragCoord.xy - middle) / scale * vec2(1, -1);
  z = orthographic == 1 ? (plane_offset - dot(plane_normal.xy, p)) / plane_normal.z
                        : plane_offset / dot(plane_normal, vec3(p, 1));
  if (!(z > 0) || isinf(z)) discard;
  ids = ivec2(id, 0);
  float near = min(z, farthest);
  float d = orthographic == 1 ? depth_map.x + depth_map.y * near : depth_map.x + depth_map.y / near;
  gl_FragDepth = clamp(d, 0, 0.9999999);
}
)";

// Ambient occlusion for pixels of twice the size (McGuire, Mara and Luebke 2012, Scalable ambient obscurance). Samples
// of a disk around the pixel estimate how much of the half ball of radius `reach` in front of the surface is filled.
inline constexpr const char* occlusion_fragment = R"(#version 330 core
uniform sampler2DMS depths;
uniform float scale, reach;
uniform vec2 middle;
uniform int orthographic;
out float open;
const int count = 14;
vec3 place_at(ivec2 pixel) {
  pixel = clamp(2 * pixel, ivec2(0), textureSize(depths) - 1);
  float z = texelFetch(depths, pixel, 0).r;
  vec2 p = (vec2(pixel) + 0.5 - middle) / scale * vec2(1, -1);
  return vec3(orthographic == 1 ? p : p * z, z);
}
vec3 nearer(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 c = place_at(pixel);
  open = 1;
  if (isinf(c.z)) return;
  vec3 dx = nearer(place_at(pixel + ivec2(1, 0)) - c, c - place_at(pixel - ivec2(1, 0)));
  vec3 dy = nearer(place_at(pixel + ivec2(0, 1)) - c, c - place_at(pixel - ivec2(0, 1)));
  vec3 n = normalize(cross(dx, dy));
  if (n.z > 0) n = -n;
  float radius = 0.5 * min(reach * scale / (orthographic == 1 ? 1.0 : c.z), 0.25 * float(textureSize(depths).y));
  if (radius < 1.5) return;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(vec2(pixel), vec2(0.06711056, 0.00583715))));
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    float r = radius * sqrt((float(k) + 0.5) / float(count)), a = turn + 2.39996323 * float(k);
    vec3 v = place_at(pixel + ivec2(round(r * vec2(cos(a), sin(a))))) - c;
    if (isinf(v.z)) continue;
    float d2 = dot(v, v), fade = max(0.0, 1 - d2 / (reach * reach));
    sum += fade * fade * max(0.0, dot(v, n) - 0.02 * reach) / sqrt(d2 + 1e-4 * reach * reach);
  }
  open = max(0.0, 1 - 2.2 * sum / float(count));
}
)";

// Mean over the 4 x 4 pixels around, of those at nearly the same depth: occlusion varies in cells of that size.
inline constexpr const char* blur_fragment = R"(#version 330 core
uniform sampler2DMS depths;
uniform sampler2D opens;
uniform float reach;
out vec2 open;  // and the depth
float depth_at(ivec2 pixel) { return texelFetch(depths, min(2 * pixel, textureSize(depths) - 1), 0).r; }
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(opens, 0) - 1;
  float z = depth_at(pixel), sum = 0, weights = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
      ivec2 p = clamp(pixel + ivec2(x, y), ivec2(0), last);
      float other = depth_at(p);
      float w = other == z ? 1.0 : max(0.0, 1 - abs(other - z) / reach);
      if (!(w > 0)) continue;
      sum += w * texelFetch(opens, p, 0).r;
      weights += w;
    }
  open = vec2(weights > 0 ? sum / weights : 1, z);
}
)";

// The visible surfaces with several samples a pixel: depth, normal and colour.
inline constexpr const char* surface_fragment = R"(#version 330 core
centroid in vec3 place, front;
centroid in vec4 base;
centroid in float depth;
uniform vec3 color;
layout(location = 0) out float z;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 albedo;  // its root, which suits 8 bits; 1: a surface
void main() {
  z = depth;
  vec3 n = normalize(front);
  normal = vec4(0.5 + (gl_FrontFacing ? 0.5 : -0.5) * n, 1);
  albedo = vec4(sqrt(mix(color, base.rgb, base.a)), 1);
}
)";

// Planes likewise, with their grid in place of the colour.
inline constexpr const char* plane_fragment = R"(#version 330 core
centroid in vec3 place, front;
centroid in float depth;
uniform vec3 origin, axis, center, up;
uniform float cell, extent;
layout(location = 0) out float z;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 albedo;  // darkness of the grid, tint, strength of shadows; 0.5: a plane
float line(vec2 p, vec2 w) {
  vec2 gap = abs(fract(p - 0.5) - 0.5), near = 1 - smoothstep(0.4 * w, 1.4 * w, gap);
  near *= 1 - smoothstep(0.08, 0.25, w);
  return max(near.x, near.y);
}
void main() {
  vec3 n = normalize(front);
  vec2 p = vec2(dot(place - origin, axis), dot(place - origin, cross(n, axis))) / cell;
  vec2 w = fwidth(p);
  float away = length(place - center) / extent, fade = 1 - smoothstep(0.25, 1.0, away);
  z = depth;
  normal = vec4(0.5 + 0.5 * n, 1);
  albedo = vec4(fade * (0.24 * line(p, w) + 0.32 * line(p / 5, w / 5)), fade * (1 - max(dot(n, up), 0.0)),
                1 - smoothstep(0.6, 1.0, away), 0.5);
}
)";

// Light, shadow and background: once for the samples of a pixel that agree, and once for the others.
inline constexpr const char* shade_fragment = R"(#version 330 core
uniform sampler2DMS depths, normals, colors;
uniform sampler2D opens;
uniform sampler2DShadow shadows;
uniform mat4 to_light;
uniform vec3 light, up, eye, right, down, forward;
uniform vec2 middle;
uniform float scale, spread, lift, reach, height;
uniform int orthographic;
out vec4 picture;
const vec3 sky_top = vec3(0.98, 0.985, 0.99), sky_bottom = vec3(0.895, 0.91, 0.925);
const int count = 4;  // of samples
// To sRGB; within 0.0001 of its curve above 0.003, which takes a power.
vec3 encoded(vec3 c) {
  c = mix(c, 0.75 + 0.25 * (1 - exp(-(c - 0.75) / 0.25)), greaterThan(c, vec3(0.75)));
  vec3 r2 = sqrt(c), r4 = sqrt(r2), r8 = sqrt(r4);
  return 0.644557 * r2 + 0.709951 * r4 - 0.336054 * r8 - 0.018485 * c;
}
float at(vec4 p, vec2 offset) { return texture(shadows, vec3(p.xy + spread * offset, p.z)); }
// The share of the light that arrives: the mean of twelve comparisons over a disk. No edge is near if the outer
// four agree. Mesa's processor skips loops that no pixel needs, but no branches.
float lit(vec3 place, vec3 n) {
  vec4 p = to_light * vec4(place + n * lift, 1);
  float sum = at(p, vec2(0.293, 0.934)) + at(p, vec2(0.396, -0.847)) +
              at(p, vec2(-0.822, 0.339)) + at(p, vec2(0.791, 0.289));
  bool edge = sum > 0 && sum < 4;
  vec2 turn = vec2(1, 0);
  for (int k = 0; k < 8 && edge; ++k) {
    sum += at(p, sqrt((float(k) + 0.5) / 12) * turn);
    turn = vec2(-0.737369 * turn.x - 0.675490 * turn.y, 0.675490 * turn.x - 0.737369 * turn.y);
  }
  return any(greaterThan(abs(p.xy - 0.5), vec2(0.5))) ? 1.0 : edge ? sum / 12 : sum / 4;
}
// Occlusion between the four pixels of twice the size around, by their depths.
float open_at(float z) {
  vec2 p = 0.5 * gl_FragCoord.xy - 0.5;
  ivec2 low = ivec2(floor(p)), last = textureSize(opens, 0) - 1;
  vec2 t = p - vec2(low);
  float sum = 0, weights = 0;
  for (int k = 0; k < 4; ++k) {
    ivec2 o = ivec2(k & 1, k >> 1), q = clamp(low + o, ivec2(0), last);
    float share = (o.x == 1 ? t.x : 1 - t.x) * (o.y == 1 ? t.y : 1 - t.y);
    vec2 other = texelFetch(opens, q, 0).rg;  // infinite depths weigh least
    float w = (share + 1e-3) * max(1e-6, 1 - abs(other.g - z) / (0.5 * reach));
    sum += w * other.r;
    weights += w;
  }
  return sum / weights;
}
float power2(float x) { return x * x; }
float power4(float x) { return power2(power2(x)); }
// Light of the sky and from the ground, one lamp with shadow, a faint gloss and a bright rim.
vec3 surface(vec3 n, vec3 albedo, vec3 to_eye, float shadow, float open) {
  float key = shadow * max(dot(n, light), 0.0);
  vec3 around = mix(vec3(0.46, 0.44, 0.43), vec3(0.92, 0.96, 1.02), 0.5 + 0.5 * dot(n, up));
  vec3 c = albedo * (0.62 * open * around + 0.95 * key * mix(0.6, 1.0, open) * vec3(1.0, 0.975, 0.94));
  vec3 halfway = normalize(light + to_eye);
  float gloss = power4(power4(power2(max(dot(n, halfway), 0.0)))), rim = power4(1 - max(dot(n, to_eye), 0.0));
  return encoded(c + 0.16 * gloss * key + 0.10 * rim * open * around);
}
// A plane has the background's colour, so that it has no edge, with shadows and a grid that fades.
vec3 plane(vec3 n, vec3 own, vec3 back, float shadow, float open) {
  float dark = (1 - shadow) * 0.34 * max(dot(n, light), 0.0) + 0.55 * (1 - open);
  vec3 c = back * (1 - own.r / 8) * mix(vec3(1), vec3(0.945, 0.95, 0.957), own.g);
  return c * (1 - own.b * dark * vec3(1.0, 0.97, 0.92));
}
vec3 shaded(float z, vec4 color, vec3 n, vec3 back) {
  vec2 p = (gl_FragCoord.xy - middle) / scale * vec2(1, -1);
  vec3 side = right * p.x + down * p.y;
  vec3 place = orthographic == 1 ? eye + side + forward * z : eye + (side + forward) * z;
  vec3 to_eye = orthographic == 1 ? -forward : normalize(eye - place);
  float shadow = lit(place, n), open = open_at(z);
  vec3 c = color.a > 0.75 ? surface(n, color.rgb * color.rgb, to_eye, shadow, open)
                          : plane(n, color.rgb, back, shadow, open);
  return color.a == 0 ? back : c;
}
vec3 normal_at(ivec2 pixel, int k) { return 2 * texelFetch(normals, pixel, k).xyz - 1; }
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 back = mix(sky_bottom, sky_top, smoothstep(0.0, 1.0, gl_FragCoord.y / height));
  // Samples like the first, and the last of the others.
  float z = texelFetch(depths, pixel, 0).r, other_z = z, like = 1;
  vec4 color = texelFetch(colors, pixel, 0), mean = color, other_color = color;
  vec3 n = normal_at(pixel, 0), other_n = n;
  for (int k = 1; k < count; ++k) {
    float depth = texelFetch(depths, pixel, k).r;
    vec4 own = texelFetch(colors, pixel, k);
    vec3 normal = normal_at(pixel, k);
    if (own.a == color.a && dot(normal, n) > 0.8 && (own.a < 0.75 || abs(depth - z) < 0.3 * reach)) {
      mean += own;
      like += 1;
    } else {
      other_z = depth;
      other_color = own;
      other_n = normal;
    }
  }
  color = mean / like;
  vec3 sum = vec3(0);
  int times = like == count ? 1 : 2;
  for (int k = 0; k < times; ++k) {
    float share = (k == 0 ? like : count - like) / count;
    sum += share * shaded(color.a == 0 ? 0.0 : z, color, normalize(n), back);
    z = other_z;
    color = other_color;
    n = other_n;
  }
  picture = vec4(sum, 1);
}
)";

}  // namespace sinew::shaders
