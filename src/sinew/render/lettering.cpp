#include "sinew/render/lettering.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace sinew {
namespace {

// Strokes of a letter, with blanks between them. Each point has two digits: x from 0 to 4 and y from 0 to 8. The
// baseline is at 2, small letters end at 6 and capitals at 8. The points control a quadratic B-spline, which begins and
// ends in the outer ones; two points are a straight line, and twice the same point is a dot.
struct Letter {
  unsigned char code;
  std::string_view strokes;
};

constexpr Letter letters[] = {{'0', "280802424828"},
                              {'1', "0728 2822"},
                              {'2', "07084845440302 0242"},
                              {'3', "0708484525 2545420203"},
                              {'4', "3832 3804 0444"},
                              {'5', "4808 0805 0545420203"},
                              {'6', "380804024245054505 0504"},
                              {'7', "0848 4812"},
                              {'8', "250508484525 250502424525"},
                              {'9', "124246480805054545 4546"},
                              {'.', "2222"},
                              {'-', "0545"},
                              {'+', "0545 2327"},
                              {'/', "0248"},
                              {'(', "38181232"},
                              {')', "18383212"},
                              {'[', "3818 1812 1232"},
                              {']', "1838 3832 3212"},
                              {'^', "1628 2836"},
                              {'%', "0248 0808 4242"},
                              {'_', "0242"},
                              {',', "2221"},
                              {':', "2525 2222"},
                              {'=', "0444 0646"},
                              {'*', "2327 0446 0644"},
                              {'a', "454606024243 4642"},
                              {'b', "0802 030242460605"},
                              {'c', "454606024243"},
                              {'d', "4842 434202064645"},
                              {'e', "0444 444606024243"},
                              {'f', "38181712 0636"},
                              {'g', "434202064645 4641400001"},
                              {'h', "0802 0406464542"},
                              {'i', "2622 2828"},
                              {'j', "26212000 2828"},
                              {'k', "0802 4604 1542"},
                              {'l', "2822"},
                              {'m', "0602 0406262522 2426464542"},
                              {'n', "0602 0406464542"},
                              {'o', "260602424626"},
                              {'p', "0600 030242460605"},
                              {'q', "4640 434202064645"},
                              {'r', "0602 04063645"},
                              {'s', "4546060444420203"},
                              {'t', "18131232 0636"},
                              {'u', "0603024244 4642"},
                              {'v', "0622 2246"},
                              {'w', "0612 1226 2632 3246"},
                              {'x', "0642 0246"},
                              {'y', "0622 4610"},
                              {'z', "0646 4602 0242"},
                              {'A', "0228 2842 1434"},
                              {'B', "0208 083848453505 053545423202"},
                              {'C', "474808024243"},
                              {'D', "0802 084848424202"},
                              {'E', "4808 0802 0242 0535"},
                              {'F', "4808 0802 0535"},
                              {'G', "474808024244 4424"},
                              {'H', "0802 4842 0545"},
                              {'I', "2822"},
                              {'J', "4843420203"},
                              {'K', "0802 4804 1542"},
                              {'L', "0802 0242"},
                              {'M', "0208 0824 2448 4842"},
                              {'N', "0208 0842 4248"},
                              {'O', "280802424828"},
                              {'P', "0208 083848453505"},
                              {'Q', "280802424828 3342"},
                              {'R', "0208 083848453505 2542"},
                              {'S', "4748080545420203"},
                              {'T', "0848 2822"},
                              {'U', "080302424348"},
                              {'V', "0822 2248"},
                              {'W', "0812 1226 2632 3248"},
                              {'X', "0842 0248"},
                              {'Y', "0825 4825 2522"},
                              {'Z', "0848 4802 0242"},
                              {0xb5, "0600 0603024244 4642"}};

constexpr double advance = 5.6, blank_width = 3.2, capital_height = 6, baseline = 2, pen = 0.78;

const Letter* find_letter(unsigned char code) {
  const auto found = std::ranges::find(letters, code, &Letter::code);
  return found == std::end(letters) ? nullptr : found;
}

// Narrow letters stand closer.
double advance_of(unsigned char code) {
  constexpr std::string_view narrow = "1.,:ijl()[]It";
  return code == ' ' ? blank_width : narrow.find(static_cast<char>(code)) != narrow.npos ? 0.72 * advance : advance;
}
double shift_of(unsigned char code) {
  return -0.5 * (advance - advance_of(code));
}

using Place = Eigen::Vector2d;

void add_curve(const std::vector<Place>& points, std::vector<std::pair<Place, Place>>& lines) {
  if (points.size() == 2) {
    lines.emplace_back(points[0], points[1]);
    return;
  }
  constexpr int parts = 6;
  Place from = points.front();
  for (std::size_t k = 1; k + 1 < points.size(); ++k) {
    const Place to = k + 2 == points.size() ? points.back() : Place(0.5 * (points[k] + points[k + 1]));
    Place last = from;
    for (int i = 1; i <= parts; ++i) {
      const double t = static_cast<double>(i) / parts;
      const Place next = (1 - t) * (1 - t) * from + 2 * t * (1 - t) * points[k] + t * t * to;
      lines.emplace_back(last, next);
      last = next;
    }
    from = to;
  }
}

std::vector<std::pair<Place, Place>> lines_of(const Letter& letter) {
  std::vector<std::pair<Place, Place>> lines;
  std::vector<Place> points;
  for (std::size_t k = 0; k <= letter.strokes.size();) {
    if (k == letter.strokes.size() || letter.strokes[k] == ' ') {
      add_curve(points, lines);
      points.clear();
      ++k;
      continue;
    }
    points.emplace_back(letter.strokes[k] - '0', letter.strokes[k + 1] - '0' - baseline);
    k += 2;
  }
  return lines;
}

double distance_to(const Place& p, const std::pair<Place, Place>& line) {
  const Place along = line.second - line.first, from = p - line.first;
  const double length2 = along.squaredNorm(), t = length2 > 0 ? std::clamp(from.dot(along) / length2, 0.0, 1.0) : 0;
  return (from - t * along).norm();
}

}  // namespace

double text_width(const std::string& text, double size) {
  double width = 0;
  for (const char c : text)
    if (c == ' ' || find_letter(static_cast<unsigned char>(c))) width += advance_of(static_cast<unsigned char>(c));
  return (width - (advance - 4)) * size / capital_height;
}

void draw_text(ColorImage& image, const std::string& text, double x, double y, double size, const Rgb& color) {
  const double scale = size / capital_height, half_pen = 0.5 * std::max(pen * scale, 1.0);
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const Letter* letter = find_letter(code);
    if (letter) {
      const std::vector<std::pair<Place, Place>> lines = lines_of(*letter);
      const double left = x + shift_of(code) * scale, dot = code == '.' || code == ':' || code == '%' ? 1.25 : 1.0;
      const int first_column = std::max(0, static_cast<int>(left - scale) - 2);
      const int last_column = std::min(image.width - 1, static_cast<int>(left + 5 * scale) + 2);
      const int first_row = std::max(0, static_cast<int>(y - 7 * scale) - 2);
      const int last_row = std::min(image.height - 1, static_cast<int>(y + 3 * scale) + 2);
      for (int row = first_row; row <= last_row; ++row)
        for (int column = first_column; column <= last_column; ++column) {
          const Place p((column + 0.5 - left) / scale, (y - row - 0.5) / scale);
          double nearest = 1e9;
          for (const auto& line : lines) nearest = std::min(nearest, distance_to(p, line));
          const double cover = std::clamp(0.5 + dot * half_pen - nearest * scale, 0.0, 1.0);
          if (cover <= 0) continue;
          std::uint8_t* pixel = image.values.data() + 3 * (static_cast<std::size_t>(row) * image.width + column);
          for (int k = 0; k < 3; ++k)
            pixel[k] = static_cast<std::uint8_t>(std::lround((1 - cover) * pixel[k] + cover * 255 * color[k]));
        }
    }
    if (letter || c == ' ') x += advance_of(code) * scale;
  }
}

}  // namespace sinew
