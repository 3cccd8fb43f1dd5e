// Textures in studio pictures, in GLSL 3.30: images at texture coordinates, or projected onto surfaces at rest as
// BoxProjection does. They are blended where a surface turns from one side of the box to the next.
#pragma once

namespace sinew::shaders {

// In place of surface_vertex (shaders.h).
inline constexpr const char* textured_vertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in vec3 image_place;
layout(location = 4) in vec3 image_normal;
layout(location = 5) in vec2 image_coordinates;
uniform mat4 to_camera, to_clip;
centroid out vec3 place, front, rest_place, rest_front;
centroid out vec4 base;
centroid out vec2 coordinates;
centroid out float depth;
void main() {
  place = position;
  front = normal;
  base = color;
  rest_place = image_place;
  rest_front = image_normal;
  coordinates = image_coordinates;
  vec4 p = to_camera * vec4(position, 1);
  depth = p.z;
  gl_Position = to_clip * p;
}
)";

// For fragment programs: the factor of the look's colour.
inline constexpr const char* texture_factor = R"(
centroid in vec3 rest_place, rest_front;
centroid in vec2 coordinates;
uniform sampler2D image;
uniform int textured;  // 1: by coordinates, 2: projected
uniform float image_width;
vec3 image_at(vec2 p) { return texture(image, vec2(p.x, 1 - p.y)).rgb; }
vec3 texture_factor() {
  if (textured == 0) return vec3(1);
  if (textured == 1) return image_at(coordinates);
  vec3 p = rest_place / image_width, n = normalize(rest_front), s = vec3(n.x < 0 ? -1 : 1, n.y < 0 ? -1 : 1, n.z < 0 ? -1 : 1);
  vec3 w = n * n;
  w *= w;
  w *= w;
  return (w.x * image_at(0.5 + vec2(-s.x * p.z, p.y)) + w.y * image_at(0.5 + vec2(p.x, -s.y * p.z)) +
          w.z * image_at(0.5 + vec2(s.z * p.x, p.y))) / (w.x + w.y + w.z);
}
)";

}  // namespace sinew::shaders
