// The programs of a picture, in GLSL 3.30.
#pragma once

namespace sinew::shaders {

// The vertices of surfaces, for all passes. Positions are relative to the scene's centre, colours linear in the light.
inline constexpr const char* surface_vertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
uniform mat4 to_camera, to_clip;
out vec3 place, front;
out vec4 base;
out float depth;
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
in float depth;
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

// Ambient occlusion from depths of half the size (McGuire, Mara and Luebke 2012, Scalable ambient obscurance). Samples of
// a disk around the pixel estimate how much of the half ball of radius `reach` in front of the surface is filled.
inline constexpr const char* occlusion_fragment = R"(#version 330 core
uniform sampler2D depths;
uniform float scale, reach;
uniform vec2 middle;
uniform int orthographic;
out float open;
const int count = 14;
vec3 place_at(ivec2 pixel) {
  float z = texelFetch(depths, clamp(pixel, ivec2(0), textureSize(depths, 0) - 1), 0).r;
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
  float radius = min(reach * scale / (orthographic == 1 ? 1.0 : c.z), 0.25 * float(textureSize(depths, 0).y));
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
uniform sampler2D depths, opens;
uniform float reach;
out vec2 open;  // and the depth
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(depths, 0) - 1;
  float z = texelFetch(depths, pixel, 0).r, sum = 0, weights = 0;
  for (int y = -2; y <= 2; ++y)
    for (int x = -2; x <= 2; ++x) {
      ivec2 p = clamp(pixel + ivec2(x, y), ivec2(0), last);
      float other = texelFetch(depths, p, 0).r;
      float w = other == z ? 1.0 : max(0.0, 1 - abs(other - z) / reach);
      if (!(w > 0)) continue;
      sum += w * texelFetch(opens, p, 0).r;
      weights += w;
    }
  open = vec2(weights > 0 ? sum / weights : 1, z);
}
)";

// Shared by surfaces and planes: light, shadow and background.
inline constexpr const char* light = R"(#version 330 core
uniform sampler2D opens;
uniform sampler2DShadow shadows;
uniform mat4 to_light;
uniform vec3 light, up, eye, view;
uniform float spread, lift, reach, height;
uniform int orthographic;
const vec3 sky_top = vec3(0.98, 0.985, 0.99), sky_bottom = vec3(0.895, 0.91, 0.925);
// To sRGB; within 0.0001 of its curve above 0.003, which takes a power.
vec3 encoded(vec3 c) {
  c = mix(c, 0.75 + 0.25 * (1 - exp(-(c - 0.75) / 0.25)), greaterThan(c, vec3(0.75)));
  vec3 r2 = sqrt(c), r4 = sqrt(r2), r8 = sqrt(r4);
  return 0.644557 * r2 + 0.709951 * r4 - 0.336054 * r8 - 0.018485 * c;
}
vec3 background() { return mix(sky_bottom, sky_top, smoothstep(0.0, 1.0, gl_FragCoord.y / height)); }
float at(vec4 p, vec2 offset) { return texture(shadows, vec3(p.xy + spread * offset, p.z)); }
// The share of the light that arrives: mean of comparisons over a disk, outer ones first.
float lit(vec3 place, vec3 n) {
  vec4 p = to_light * vec4(place + n * lift, 1);
  if (any(greaterThan(abs(p.xy - 0.5), vec2(0.5)))) return 1.0;
  float sum = at(p, vec2(0.293, 0.934)) + at(p, vec2(0.396, -0.847)) +
              at(p, vec2(-0.822, 0.339)) + at(p, vec2(0.791, 0.289));
  if (sum == 0 || sum == 4) return sum / 4;  // no edge is near
  sum += at(p, vec2(0.204, 0.000)) + at(p, vec2(-0.261, 0.239));
  sum += at(p, vec2(0.040, -0.455)) + at(p, vec2(0.329, 0.429));
  sum += at(p, vec2(-0.603, -0.107)) + at(p, vec2(0.571, -0.363));
  sum += at(p, vec2(-0.191, 0.711)) + at(p, vec2(-0.364, -0.702));
  return sum / 12;
}
// Occlusion between the four pixels of half the size around, by their depths.
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
)";

// After `light`. Light of the sky and from the ground, one lamp with shadow, a faint gloss and a bright rim.
inline constexpr const char* surface_fragment = R"(
in vec3 place, front;
in vec4 base;
in float depth;
uniform vec3 color;
out vec4 picture;
float power2(float x) { return x * x; }
float power4(float x) { return power2(power2(x)); }
void main() {
  vec3 n = normalize(front), to_eye = orthographic == 1 ? -view : normalize(eye - place);
  if (!gl_FrontFacing) n = -n;
  vec3 albedo = mix(color, base.rgb, base.a);
  float facing = dot(n, light), open = open_at(depth);
  float shadow = facing > 0 ? lit(place, n) : 0.0;
  float key = shadow * max(facing, 0.0);
  vec3 around = mix(vec3(0.46, 0.44, 0.43), vec3(0.92, 0.96, 1.02), 0.5 + 0.5 * dot(n, up));
  vec3 c = albedo * (0.62 * open * around + 0.95 * key * mix(0.6, 1.0, open) * vec3(1.0, 0.975, 0.94));
  vec3 halfway = normalize(light + to_eye);
  float gloss = power4(power4(power2(max(dot(n, halfway), 0.0)))), rim = power4(1 - max(dot(n, to_eye), 0.0));
  c += 0.16 * gloss * key + 0.10 * rim * open * around;
  picture = vec4(encoded(c), 1);
}
)";

// After `light`. A plane has the background's colour, so that it has no edge, with shadows and a grid that fades.
inline constexpr const char* plane_fragment = R"(
in vec3 place, front;
in float depth;
uniform vec3 origin, axis, center;
uniform float cell, extent;
out vec4 picture;
float line(vec2 p, vec2 w) {
  vec2 gap = abs(fract(p - 0.5) - 0.5), near = 1 - smoothstep(0.4 * w, 1.4 * w, gap);
  near *= 1 - smoothstep(0.08, 0.25, w);
  return max(near.x, near.y);
}
void main() {
  vec3 n = normalize(front);
  vec2 p = vec2(dot(place - origin, axis), dot(place - origin, cross(n, axis))) / cell;
  vec2 w = fwidth(p);
  float away = length(place - center) / extent;
  float fade = 1 - smoothstep(0.25, 1.0, away);
  float grid = 0.03 * line(p, w) + 0.04 * line(p / 5, w / 5);
  float upward = max(dot(n, up), 0.0);
  float dark = (1 - lit(place, n)) * 0.34 * max(dot(n, light), 0.0) + 0.55 * (1 - open_at(depth));
  vec3 c = background() * (1 - fade * grid) * mix(vec3(0.945, 0.95, 0.957), vec3(1), 1 - fade * (1 - upward));
  c *= 1 - (1 - smoothstep(0.6, 1.0, away)) * dark * vec3(1.0, 0.97, 0.92);
  picture = vec4(c, 1);
}
)";

// After `light`.
inline constexpr const char* background_fragment = R"(
out vec4 picture;
void main() { picture = vec4(background(), 1); }
)";

}  // namespace sinew::shaders
