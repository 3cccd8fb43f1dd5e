// The programs of a studio picture, in GLSL 3.30. Vertices are those of shaders.h and
// studio_texture.h.
#pragma once

namespace sinew::shaders {

// ---- what is visible: depth, normal, colour, roughness and metalness

// After "#version" and texture_factor (studio_texture.h).
inline constexpr const char* studio_surface_fragment = R"(
centroid in vec3 place, front;
centroid in vec4 base;
centroid in float depth;
uniform vec3 color;
uniform float roughness, metalness;
layout(location = 0) out float z;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 albedo;  // its root, which suits 8 bits; 1: a surface
layout(location = 3) out vec4 finish;  // roughness, metalness
void main() {
  z = depth;
  normal = vec4(0.5 + (gl_FrontFacing ? 0.5 : -0.5) * normalize(front), 1);
  albedo = vec4(sqrt(mix(color * texture_factor(), base.rgb, base.a)), 1);
  finish = vec4(mix(roughness, 0.9, base.a), mix(metalness, 0.0, base.a), 0, 1);
}
)";

inline constexpr const char* studio_plane_fragment = R"(#version 330 core
centroid in vec3 place, front;
centroid in float depth;
uniform vec3 origin, axis, center, up;
uniform float cell, extent, grid;
layout(location = 0) out float z;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 albedo;  // darkness of the grid, tint, strength of shadows; 0.5: a plane
layout(location = 3) out vec4 finish;
float line(vec2 p, vec2 w) {
  vec2 gap = abs(fract(p - 0.5) - 0.5), near = 1 - smoothstep(0.4 * w, 1.4 * w, gap);
  near *= 1 - smoothstep(0.08, 0.25, w);
  return max(near.x, near.y);
}
void main() {
  vec3 n = normalize(front);
  vec2 p = vec2(dot(place - origin, axis), dot(place - origin, cross(n, axis))) / cell;
  vec2 w = fwidth(p);
  float away = length(place - center) / extent, fade = 1 - smoothstep(0.08, 0.6, away);
  z = depth;
  normal = vec4(0.5 + 0.5 * n, 1);
  albedo = vec4(grid * fade * (0.075 * line(p, w) + 0.15 * line(p / 5, w / 5)),
                fade * (1 - max(dot(n, up), 0.0)) + grid * 0.12 * fade, 1 - smoothstep(0.45, 1.0, away), 0.5);
  finish = vec4(1, 0, 0, 1);
}
)";

// ---- light from all directions

// Sums over some lamps, for pixels of twice the size: light that arrives, and that would without anything in the way.
inline constexpr const char* lamps_fragment = R"(#version 330 core
uniform sampler2DMS depths, normals;
uniform sampler2DShadow shadows;
uniform mat4 to_light[16];
uniform vec3 lamps[16];  // towards each, as long as its share of the light
uniform int count, orthographic;
uniform vec3 eye, right, down, forward, up;
uniform vec2 middle;
uniform float scale, lift, spread, ground, height_scale;
out vec2 sums;
void main() {
  ivec2 pixel = min(2 * ivec2(gl_FragCoord.xy), textureSize(depths) - 1);
  float z = texelFetch(depths, pixel, 0).r;
  bool seen = !isinf(z);
  vec2 q = (vec2(pixel) + 0.5 - middle) / scale * vec2(1, -1);
  vec3 side = right * q.x + down * q.y;
  vec3 place = orthographic == 1 ? eye + side + forward * z : eye + (side + forward) * z;
  vec3 n = normalize(2 * texelFetch(normals, pixel, 0).xyz - 1);
  // Light from below comes from the ground, which is dark near what stands on it.
  float above = clamp((dot(place, up) - ground) / height_scale, 0, 1), below = mix(0.25, 1.0, above);
  place += n * lift;
  // Neighbours look at other places of a map: what they find is averaged later.
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(vec2(gl_FragCoord.xy), vec2(0.06711056, 0.00583715))));
  sums = vec2(0);
  for (int k = 0; k < count && seen; ++k) {
    float share = dot(n, lamps[k]);
    if (dot(up, lamps[k]) < 0) share *= below;
    vec3 p = (to_light[k] * vec4(place, 1)).xyz;
    float a = turn + 2.39996323 * float(k);
    p.xy += spread * vec2(cos(a), sin(a)) * (0.35 + 0.65 * fract(0.618034 * float(k) + turn));
    vec2 tile = vec2(k % 4, k / 4);
    bool outside = any(greaterThan(abs(p.xy - 0.5), vec2(0.499)));
    float lit = texture(shadows, vec3((tile + clamp(p.xy, 0.001, 0.999)) / 4, p.z));
    if (share > 0) sums += share * vec2(outside ? 1.0 : lit, 1);
  }
}
)";

// The share of light that arrives, and the depth. Means over the pixels around that lie on nearly the same surface.
inline constexpr const char* lamps_blur_fragment = R"(#version 330 core
uniform sampler2DMS depths, normals;
uniform sampler2D sums;
uniform float reach;
out vec2 open;
ivec2 source(ivec2 pixel) { return min(2 * pixel, textureSize(depths) - 1); }
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(sums, 0) - 1;
  float z = texelFetch(depths, source(pixel), 0).r;
  vec3 n = 2 * texelFetch(normals, source(pixel), 0).xyz - 1;
  vec2 sum = vec2(0);
  for (int y = -3; y <= 3 && !isinf(z); ++y)
    for (int x = -3; x <= 3; ++x) {
      ivec2 p = clamp(pixel + ivec2(x, y), ivec2(0), last);
      float other = texelFetch(depths, source(p), 0).r;
      vec3 m = 2 * texelFetch(normals, source(p), 0).xyz - 1;
      float w = isinf(other) ? 0.0 : max(0.0, 1 - abs(other - z) / reach) * max(0.0, dot(n, m) * 4 - 3);
      sum += w * texelFetch(sums, p, 0).rg;
    }
  open = vec2(sum.g > 0 ? sum.r / sum.g : 1, z);
}
)";

// ---- shading

// Functions that surfaces and clear bodies share.
inline constexpr const char* studio_light = R"(
uniform sampler2D mirror;
uniform mat4 to_room;
uniform vec3 harmonics[9];
uniform vec3 sun, sun_light;
uniform vec3 ground_light;  // of bright ground, as seen in mirrors
uniform float studio, edge, has_ground;
uniform int levels;
float power2(float x) { return x * x; }
float power5(float x) { return x * power2(power2(x)); }
// Irradiance over pi.
vec3 around(vec3 n) {
  vec3 d = (to_room * vec4(n, 0)).xyz;
  return harmonics[0] + harmonics[1] * d.y + harmonics[2] * d.z + harmonics[3] * d.x + harmonics[4] * d.x * d.y +
         harmonics[5] * d.y * d.z + harmonics[6] * (3 * d.z * d.z - 1) + harmonics[7] * d.x * d.z +
         harmonics[8] * (d.x * d.x - d.y * d.y);
}
vec3 level_at(vec2 p, float level, float size) {
  vec2 at = vec2(0.5) + clamp(p, 0.0, 1.0) * (size - 1);
  return texture(mirror, vec2(at.x, at.y + level * size) / vec2(size, size * float(levels))).rgb;
}
vec3 mirrored(vec3 r, float roughness) {
  vec3 d = (to_room * vec4(r, 0)).xyz;
  d /= abs(d.x) + abs(d.y) + abs(d.z);
  vec2 p = d.y >= 0 ? d.xz : (1 - abs(d.zx)) * vec2(d.x < 0 ? -1 : 1, d.z < 0 ? -1 : 1);
  float size = float(textureSize(mirror, 0).x), level = roughness * float(levels - 1), low = floor(level);
  low = min(low, float(levels - 2));
  vec3 room = mix(level_at(0.5 + 0.5 * p, low, size), level_at(0.5 + 0.5 * p, low + 1, size), level - low);
  float below = smoothstep(-0.1 - 0.5 * roughness, 0.25 + 0.5 * roughness, -normalize(d).y);
  return mix(room, ground_light, has_ground * below);
}
// Scale and offset of the reflectance at normal incidence (B. Karis, Physically based shading on mobile, 2014).
vec2 reflectance(float facing, float roughness) {
  vec4 r = roughness * vec4(-1, -0.0275, -0.572, 0.022) + vec4(1, 0.0425, 1.04, -0.04);
  float a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
  return vec2(-1.04, 1.04) * a + r.zw;
}
// The key light's gloss: GGX with Smith's shadowing, times the cosine to the light.
vec3 gloss(vec3 n, vec3 to_eye, float roughness, vec3 normal_reflectance) {
  vec3 h = normalize(sun + to_eye);
  float a = max(roughness * roughness, 0.01), a2 = a * a;
  float nh = max(dot(n, h), 0.0), nl = max(dot(n, sun), 0.0), nv = max(dot(n, to_eye), 1e-3);
  float d = a2 / (3.14159265 * power2(nh * nh * (a2 - 1) + 1));
  float v = 0.5 / max(nl * sqrt(nv * nv * (1 - a2) + a2) + nv * sqrt(nl * nl * (1 - a2) + a2), 1e-4);
  vec3 f = normal_reflectance + (1 - normal_reflectance) * power5(1 - max(dot(h, sun), 0.0));
  return min(d * v * nl, 8.0) * f;
}
// Khronos PBR Neutral: keeps colours as they are, up to highlights (E. Lalish, 2024).
vec3 tone(vec3 c) {
  float least = min(c.r, min(c.g, c.b));
  c -= least < 0.08 ? least - 6.25 * least * least : 0.04;
  float peak = max(c.r, max(c.g, c.b)), start = 0.76, room = 1 - start;
  if (peak < start) return c;
  float to = 1 - room * room / (peak + room - start);
  return mix(c * (to / peak), vec3(to), 1 - 1 / (0.15 * (peak - to) + 1));
}
)";

// Light, shadow and background: once for the samples of a pixel that agree, and once for the others. Linear colours.
inline constexpr const char* studio_shade_fragment = R"(
uniform sampler2DMS depths, normals, colors, finishes;
uniform sampler2D opens;
uniform sampler2DShadow shadows;
uniform mat4 to_light[16];
uniform vec3 eye, right, down, forward, up, back_middle, back_border;
uniform vec2 middle, size;
uniform float scale, lift, reach, spread;
uniform int orthographic;
out vec4 picture;
const int count = 4;  // of samples
float at(int k, vec3 place) {
  vec3 p = (to_light[k] * vec4(place, 1)).xyz;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  p.xy += spread * vec2(cos(turn + 2.4 * float(k)), sin(turn + 2.4 * float(k)));
  vec2 tile = vec2(k % 4, k / 4);
  float lit = texture(shadows, vec3((tile + clamp(p.xy, 0.001, 0.999)) / 4, p.z));
  return any(greaterThan(abs(p.xy - 0.5), vec2(0.499))) ? 1.0 : lit;
}
// The share of the key light that arrives, from 16 points of its disk. The first five lie far apart.
float lit(vec3 place, vec3 n) {
  place += n * lift;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += at(k, place);
  bool edge = sum > 0 && sum < 5;
  for (int k = 5; k < 16 && edge; ++k) sum += at(k, place);
  return edge ? sum / 16 : sum / 5;
}
// Light from around, between the four pixels of twice the size around, by their depths and normals.
float open_at(float z, vec3 n) {
  vec2 p = 0.5 * gl_FragCoord.xy - 0.5;
  ivec2 low = ivec2(floor(p)), last = textureSize(opens, 0) - 1;
  vec2 t = p - vec2(low);
  float sum = 0, weights = 0;
  for (int k = 0; k < 4; ++k) {
    ivec2 o = ivec2(k & 1, k >> 1), q = clamp(low + o, ivec2(0), last);
    float share = (o.x == 1 ? t.x : 1 - t.x) * (o.y == 1 ? t.y : 1 - t.y);
    vec2 other = texelFetch(opens, q, 0).rg;  // infinite depths weigh least
    vec3 m = 2 * texelFetch(normals, min(2 * q, textureSize(normals) - 1), 0).xyz - 1;
    float w = (share + 1e-3) * max(1e-6, 1 - abs(other.g - z) / reach) * max(1e-3, 4 * dot(n, m) - 3);
    sum += w * other.r;
    weights += w;
  }
  return sum / weights;
}
vec3 surface(vec3 n, vec3 albedo, vec2 finish, vec3 to_eye, float key, float open) {
  float roughness = finish.x, metal = finish.y, facing = clamp(dot(n, to_eye), 0.0, 1.0);
  vec3 own = mix(vec3(0.04), albedo, metal), flat_color = albedo * (1 - metal);
  vec2 r = reflectance(facing, roughness);
  vec3 mirror_light = mirrored(reflect(-to_eye, n), roughness) * (own * r.x + r.y);
  float mirror_open = clamp(pow(facing + open, exp2(-16 * roughness - 1)) - 1 + open, 0.0, 1.0);
  // Metals have no light of their own: they mirror a brighter studio.
  vec3 c = studio * (open * flat_color * around(n) + mix(1.0, 1.5, metal) * mirror_open * mirror_light);
  c += key * sun_light * (flat_color * (max(dot(n, sun), 0.0) / 3.14159265) + gloss(n, to_eye, roughness, own));
  return tone(c * mix(mix(edge, 1.0, metal), 1.0, smoothstep(0.0, 0.6, facing)));
}
// A plane has the background's colour, so that it has no edge, with shadows and a grid that fades.
vec3 plane(vec3 n, vec3 own, vec3 back, float key, float open) {
  float dark = (1 - key) * 0.42 * max(dot(n, sun), 0.0) + 0.9 * (1 - open);
  vec3 c = back * mix(vec3(1), vec3(0.80, 0.835, 0.88), own.g) * (1 - own.r * vec3(0.62, 0.55, 0.48));
  return c * (1 - own.b * clamp(dark, 0.0, 0.97) * vec3(1.0, 0.975, 0.94));
}
vec3 shaded(float z, vec4 color, vec2 finish, vec3 n, vec3 back) {
  vec2 p = (gl_FragCoord.xy - middle) / scale * vec2(1, -1);
  vec3 side = right * p.x + down * p.y;
  vec3 place = orthographic == 1 ? eye + side + forward * z : eye + (side + forward) * z;
  vec3 to_eye = orthographic == 1 ? -forward : normalize(eye - place);
  float key = lit(place, n), open = open_at(z, n);
  vec3 c = color.a > 0.75 ? surface(n, color.rgb * color.rgb, finish, to_eye, key, open)
                          : plane(n, color.rgb, back, key, open);
  return color.a == 0 ? back : c;
}
vec3 normal_at(ivec2 pixel, int k) { return 2 * texelFetch(normals, pixel, k).xyz - 1; }
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 from = (2 * gl_FragCoord.xy / size - 1 - vec2(0, 0.12)) * vec2(min(size.x / size.y, 1.6) / 1.6, 1);
  vec3 back = mix(back_middle, back_border, smoothstep(0.1, 1.35, length(from)));
  // Samples like the first, and the last of the others.
  float z = texelFetch(depths, pixel, 0).r, other_z = z, like = 1;
  vec4 color = texelFetch(colors, pixel, 0), mean = color, other_color = color;
  vec2 finish = texelFetch(finishes, pixel, 0).rg, other_finish = finish;
  vec3 n = normal_at(pixel, 0), other_n = n;
  for (int k = 1; k < count; ++k) {
    float depth = texelFetch(depths, pixel, k).r;
    vec4 own = texelFetch(colors, pixel, k);
    vec3 normal = normal_at(pixel, k);
    if (own.a == color.a && dot(normal, n) > 0.8 && (own.a < 0.75 || abs(depth - z) < reach)) {
      mean += own;
      like += 1;
    } else {
      other_z = depth;
      other_color = own;
      other_n = normal;
      other_finish = texelFetch(finishes, pixel, k).rg;
    }
  }
  color = mean / like;
  vec3 sum = vec3(0);
  int times = like == count ? 1 : 2;
  for (int k = 0; k < times; ++k) {
    float share = (k == 0 ? like : count - like) / count;
    sum += share * shaded(color.a == 0 ? 0.0 : z, color, finish, normalize(n), back);
    z = other_z;
    color = other_color;
    finish = other_finish;
    n = other_n;
  }
  picture = vec4(sum, 1);
}
)";

// ---- clear bodies, over what is behind them

inline constexpr const char* fill_fragment = R"(#version 330 core
uniform sampler2D behind;
out vec4 picture;
void main() { picture = texelFetch(behind, ivec2(gl_FragCoord.xy), 0); }
)";

inline constexpr const char* depth_fragment = R"(#version 330 core
out vec4 picture;
void main() { picture = vec4(0); }
)";

// After studio_light and texture_factor. Light of its own, and what passes of the light behind, by channel. A ray goes
// through two surfaces of a body.
inline constexpr const char* clear_fragment = R"(
centroid in vec3 place, front;
centroid in vec4 base;
centroid in float depth;
uniform vec3 color, eye, forward;
uniform sampler2DShadow shadows;
uniform mat4 to_light[16];
uniform float roughness, opacity, lift;
uniform int orthographic;
layout(location = 0, index = 0) out vec4 light;
layout(location = 0, index = 1) out vec4 passing;
// From 8 of the key light's points.
float lit(vec3 at) {
  float sum = 0;
  for (int k = 0; k < 16; k += 2) {
    vec3 p = (to_light[k] * vec4(at, 1)).xyz;
    sum += texture(shadows, vec3((vec2(k % 4, k / 4) + clamp(p.xy, 0.001, 0.999)) / 4, p.z));
  }
  return sum / 8;
}
void main() {
  vec3 n = normalize(front) * (gl_FrontFacing ? 1.0 : -1.0), own = mix(color * texture_factor(), base.rgb, base.a);
  vec3 to_eye = orthographic == 1 ? -forward : normalize(eye - place);
  float facing = clamp(dot(n, to_eye), 0.02, 1.0), inside = gl_FrontFacing ? 1.0 : 0.4;
  float fresnel = 0.04 + 0.96 * power5(1 - facing);
  // Paths are longer near the outline.
  float path = min(1 / (0.25 + 0.75 * facing), 3.0), dim = 1 - pow(1 - opacity, 0.38 * path);
  float key = gl_FrontFacing ? lit(place + n * lift) : 1.0;
  vec3 body = own * (studio * around(n) * mix(0.7, 1.0, key) +
                     key * sun_light * (0.3 + 0.7 * max(dot(n, sun), 0.0)) / 3.14159265);
  vec3 shine = studio * mirrored(reflect(-to_eye, n), roughness) * fresnel;
  if (gl_FrontFacing) shine += key * sun_light * gloss(n, to_eye, roughness, vec3(0.04));
  shine *= mix(0.3, 1.0, key);  // what stands on it is mirrored, not the room
  light = vec4(tone(dim * body) + tone(inside * shine), 0);
  passing = vec4((1 - dim) * (1 - inside * fresnel) * mix(0.6, 1.0, key) * pow(max(own, vec3(0.02)), vec3(0.2 * path)), 1);
}
)";

// ---- the picture in bytes

// The mean of the samples in sRGB. Steps of a byte in dark or wide gradients are hidden by an ordered pattern.
inline constexpr const char* finish_fragment = R"(#version 330 core
uniform sampler2D plain;
uniform sampler2DMS several;
uniform int samples;
out vec4 picture;
vec3 encoded(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-5)), vec3(1 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 sum = vec3(0);
  for (int k = 0; k < samples; ++k) sum += texelFetch(several, pixel, k).rgb;
  vec3 c = samples > 0 ? sum / float(samples) : texelFetch(plain, pixel, 0).rgb;
  int x = pixel.x & 3, y = pixel.y & 3, m = x ^ y;
  float step = float(((m & 1) << 3) | ((y & 1) << 2) | (m & 2) | ((y & 2) >> 1)) / 16 - 0.47;
  picture = vec4(encoded(c) + step / 255, 1);
}
)";

}  // namespace sinew::shaders
