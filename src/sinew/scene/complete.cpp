#include "sinew/scene/complete.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/scene/renamed_keys.h"

namespace sinew {
namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr double boundless = 1e9;  // a maximum that is not worth a word
constexpr int deepest_scene = 64;  // levels of nesting; a scene needs about ten

// {"oneOf": [{"required": [k]} ...]}: the rule that exactly one of the keys is there, rather than alternatives.
bool is_key_rule(const Json& alternatives) {
  return std::all_of(alternatives.begin(), alternatives.end(),
                     [](const Json& a) { return a.size() == 1 && a.contains("required"); });
}

// A schema whose `target` holds the rules; title, unit and phrase may come from the place that refers to it.
struct Rule {
  const Json* target;
  std::string title, unit;
  std::string expected;  // "x-expected": a phrase in place of the one made from the alternatives

  const Json& operator*() const { return *target; }
  const Json* operator->() const { return target; }
};

class Walker {
 public:
  Walker(const Json& root, const std::string& source) : root_(root), source_(source) {}

  // `unit` is that of the surrounding array or alternatives.
  Json walk(const json& value, const Json& schema, const std::string& path, int depth,
            const std::string& unit = "") const {
    Rule rule = resolve(schema);
    if (rule.unit.empty()) rule.unit = unit;
    if (depth > deepest_scene)
      fail(code::scene_value, path, "nested more than {} levels deep; simplify the scene", deepest_scene);
    if (rule->contains("const") || rule->contains("enum")) return choice(value, rule, path);
    if (rule->contains("oneOf") && !is_key_rule((*rule)["oneOf"])) return alternatives(value, rule, path, depth);
    if (!rule->contains("type")) return Json(value);
    const std::string type = (*rule)["type"];
    if (!has_type(value, type)) mismatch(value, rule, path);
    if (type == "object") return object(value, rule, path, depth);
    if (type == "array") return array(value, rule, path, depth);
    if (type == "number" || type == "integer") return number(value, rule, path);
    if (type == "string" && value.get_ref<const std::string&>().size() < rule->value("minLength", std::size_t{0})) {
      mismatch(value, rule, path);
    }
    return Json(value);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(ErrorCode code, const std::string& path, fmt::format_string<Args...> format,
                         Args&&... args) const {
    const std::string where = path.empty() ? "the scene" : path;
    throw InputError(code, fmt::format("{}: {}: {}", source_, where, fmt::format(format, std::forward<Args>(args)...)));
  }

  [[noreturn]] void mismatch(const json& value, const Rule& rule, const std::string& path) const {
    fail(code::scene_value, path, "found {}, expected {}", found_text(value), titled_expectation(rule));
  }

  // Follows {"allOf": [{"$ref": ...}], ...} to the definition.
  Rule resolve(const Json& schema) const {
    const Json* target = &schema;
    Rule rule{target, "", "", ""};
    while (true) {
      if (rule.title.empty()) rule.title = target->value("title", "");
      if (rule.unit.empty()) rule.unit = target->value("x-unit", "");
      if (rule.expected.empty()) rule.expected = target->value("x-expected", "");
      const bool refers =
          target->contains("allOf") && (*target)["allOf"].size() == 1 && (*target)["allOf"][0].contains("$ref");
      if (!refers) break;
      const std::string name = (*target)["allOf"][0]["$ref"];
      target = &root_.at("definitions").at(name.substr(name.rfind('/') + 1));
    }
    rule.target = target;
    return rule;
  }

  static bool has_type(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    return value.is_number();
  }

  // Whether the JSON type of the value suits the schema at all.
  bool suits(const json& value, const Json& schema) const {
    const Rule rule = resolve(schema);
    if (rule->contains("const")) return has_type(value, json((*rule)["const"]).is_string() ? "string" : "boolean");
    if (rule->contains("type")) return has_type(value, (*rule)["type"]);
    const auto& options = (*rule)["oneOf"];
    return std::any_of(options.begin(), options.end(), [&](const Json& option) { return suits(value, option); });
  }

  // ---- what is expected, in words

  std::string titled_expectation(const Rule& rule) const {
    const std::string expected = expectation(rule);
    if (!rule.expected.empty() || rule.title.empty() || expected.find("(" + rule.title + ")") != std::string::npos)
      return expected;
    return fmt::format("{} ({})", expected, rule.title);
  }

  std::string expectation(const Rule& rule) const {
    if (!rule.expected.empty()) return rule.expected;
    const std::string unit = rule.unit.empty() ? "" : " [" + rule.unit + "]";
    if (rule->contains("const")) return Json((*rule)["const"]).dump();
    if (rule->contains("enum")) return choices((*rule)["enum"]);
    if (rule->contains("oneOf") && !is_key_rule((*rule)["oneOf"])) {
      if (only_objects((*rule)["oneOf"])) return object_expectation(rule);
      std::string text;
      for (const Json& option : (*rule)["oneOf"]) {
        const std::string one = expectation(resolve(option));
        if (text.find(one) == std::string::npos) text += (text.empty() ? "" : " or ") + one;
      }
      return text + unit;
    }
    const std::string type = rule->value("type", "");
    if (type == "number" || type == "integer") return number_expectation(*rule, type == "integer") + unit;
    if (type == "array") return array_expectation(rule) + unit;
    if (type == "object") return object_expectation(rule);
    if (type == "boolean") return "true or false";
    return rule->value("minLength", 0) > 0 ? "a string that is not empty" : "a string";
  }

  bool only_objects(const Json& options) const {
    return std::all_of(options.begin(), options.end(),
                       [&](const Json& option) { return resolve(option)->value("type", "") == "object"; });
  }

  static std::string choices(const Json& values) {
    std::string text;
    for (const Json& value : values) text += (text.empty() ? "" : ", ") + value.dump();
    return "one of " + text;
  }

  // A bound that is not worth a word is told to the one who went beyond it.
  static std::string number_expectation(const Json& rule, bool integer, bool all_bounds = false) {
    std::string range;
    const auto add = [&](const char* key, const char* words) {
      if (!rule.contains(key)) return;
      const double bound = rule[key].get<double>();
      if (bound >= boundless && !all_bounds) return;
      const std::string text = bound >= boundless && !integer ? fmt::format("{:g}", bound) : fmt::format("{}", bound);
      range += fmt::format("{}{} {}", range.empty() ? " " : " and ", words, text);
    };
    add("minimum", "of at least");
    add("exclusiveMinimum", "greater than");
    add("maximum", "of at most");
    add("exclusiveMaximum", "less than");
    return (integer ? "an integer" : "a finite number") + range;
  }

  std::string count_words(const Json& rule) const {
    const auto low = rule.value("minItems", 0), high = rule.value("maxItems", -1);
    const std::string count = low == high ? fmt::format(" of {}", low)
                              : low > 0   ? fmt::format(" of at least {}", low)
                                          : "";
    if (!rule.contains("items")) return "an array" + count;
    const std::string type = rule["items"].is_object() ? resolve(rule["items"])->value("type", "") : "";
    const char* items = type == "number"    ? "numbers"
                        : type == "integer" ? "integers"
                        : type == "string"  ? "strings"
                                            : "";
    if (*items == 0) return "an array" + count;
    return fmt::format("an array of{} {}", count.empty() ? "" : count.substr(3), items);
  }

  std::string array_expectation(const Rule& rule) const {
    return rule.title.empty() ? count_words(*rule) : fmt::format("{} ({})", count_words(*rule), rule.title);
  }

  static std::string object_expectation(const Rule& rule) {
    return rule.title.empty() ? "an object" : fmt::format("an object ({})", rule.title);
  }

  // ---- values

  Json choice(const json& value, const Rule& rule, const std::string& path) const {
    const bool one = rule->contains("const");
    const Json options = one ? Json::array({(*rule)["const"]}) : (*rule)["enum"];
    if (std::find(options.begin(), options.end(), Json(value)) != options.end()) return Json(value);
    std::string near;
    if (value.is_string()) near = did_you_mean(value.get<std::string>(), string_values(options));
    fail(code::scene_value, path, "found {}, expected {}{}", found_text(value), titled_expectation(rule), near);
  }

  static std::vector<std::string> string_values(const Json& values) {
    std::vector<std::string> names;
    for (const Json& value : values) {
      if (value.is_string()) names.push_back(value);
    }
    return names;
  }

  Json number(const json& value, const Rule& rule, const std::string& path) const {
    const double v = value.get<double>();
    const bool integer = (*rule)["type"] == "integer";
    bool good = std::isfinite(v) && (!integer || v == std::floor(v));
    if (rule->contains("minimum")) good = good && v >= (*rule)["minimum"].get<double>();
    if (rule->contains("maximum") && v > (*rule)["maximum"].get<double>()) {
      const std::string unit = rule.unit.empty() ? "" : " [" + rule.unit + "]";
      fail(code::scene_value, path, "found {}, expected {}{}{}", found_text(value),
           number_expectation(*rule, integer, true), unit, rule.title.empty() ? "" : " (" + rule.title + ")");
    }
    if (rule->contains("exclusiveMinimum")) good = good && v > (*rule)["exclusiveMinimum"].get<double>();
    if (rule->contains("exclusiveMaximum")) good = good && v < (*rule)["exclusiveMaximum"].get<double>();
    if (!good) mismatch(value, rule, path);
    const bool convert = integer && value.is_number_float() && std::abs(v) < 9e15;
    return convert ? Json(static_cast<std::int64_t>(v)) : Json(value);
  }

  Json array(const json& value, const Rule& rule, const std::string& path, int depth) const {
    const std::size_t size = value.size();
    if (size < rule->value("minItems", std::size_t{0}) || size > rule->value("maxItems", size)) {
      fail(code::scene_value, path, "found {} with {} item{}, expected {}", found_text(value), size,
           size == 1 ? "" : "s", expectation(rule));
    }
    if (!rule->contains("items")) return Json(value);  // its reader checks the items
    Json result = Json::array();
    for (std::size_t i = 0; i < size; ++i) {
      const Json& items = (*rule)["items"];
      result.push_back(walk(value[i], items.is_array() ? items[i] : items, item_path(path, i), depth + 1, rule.unit));
    }
    return result;
  }

  // ---- objects

  Json object(const json& value, const Rule& rule, const std::string& path, int depth) const {
    static const Json none = Json::object();
    const Json& properties = rule->contains("properties") ? (*rule)["properties"] : none;
    check_keys(value, *rule, properties, path);
    check_required(value, *rule, properties, path);
    if (value.size() < rule->value("minProperties", std::size_t{0})) mismatch(value, rule, path);
    Json result = Json::object();
    for (const auto& [key, schema] : properties.items()) {
      const std::string where = key_path(path, key);
      if (value.contains(key)) {
        result[key] = walk(value[key], schema, where, depth + 1);
      } else if (schema.contains("default") && !default_withdrawn(value, schema)) {
        result[key] = walk(json(schema["default"]), schema, where, depth + 1);
      }
    }
    for (const auto& [key, item] : value.items()) {
      if (properties.contains(key)) continue;
      const bool typed = rule->contains("additionalProperties") && (*rule)["additionalProperties"].is_object();
      result[key] = typed ? walk(item, (*rule)["additionalProperties"], key_path(path, key), depth + 1) : Json(item);
    }
    return result;
  }

  static bool default_withdrawn(const json& value, const Json& schema) {
    if (!schema.contains("x-default-unless")) return false;
    const Json& keys = schema["x-default-unless"];
    return std::any_of(keys.begin(), keys.end(),
                       [&](const Json& key) { return value.contains(key.get<std::string>()); });
  }

  void check_keys(const json& value, const Json& rule, const Json& properties, const std::string& path) const {
    if (!rule.contains("additionalProperties") || rule["additionalProperties"] != false) return;
    std::vector<std::string> known;
    for (const auto& [key, schema] : properties.items()) known.push_back(key);
    for (const auto& [key, item] : value.items()) {
      if (properties.contains(key)) continue;
      // Keys of another variant, with the remedy.
      const Json elsewhere = rule.value("x-elsewhere", Json::object());
      if (elsewhere.contains(key)) fail(code::scene_key, key_path(path, key), "{}", elsewhere[key].get<std::string>());
      refuse_key(key, known, path);
    }
  }

  [[noreturn]] void refuse_key(const std::string& key, const std::vector<std::string>& known,
                               const std::string& path) const {
    const std::string now = renamed_key(key, known);
    if (!now.empty()) fail(code::scene_key, key_path(path, key), "this key is now named \"{}\"; use that name", now);
    fail(code::scene_key, key_path(path, key), "unknown key{}known keys: {}", did_you_mean_then(key, known),
         quoted_list(known));
  }

  void check_required(const json& value, const Json& rule, const Json& properties, const std::string& path) const {
    if (rule.contains("required")) {
      for (const std::string key : rule["required"]) {
        if (value.contains(key)) continue;
        const Rule missing = resolve(properties[key]);
        fail(code::scene_missing, path, "missing key \"{}\", expected {}", key, titled_expectation(missing));
      }
    }
    if (rule.contains("oneOf")) check_exactly_one(value, rule["oneOf"], path);
    if (!rule.contains("allOf")) return;
    for (const Json& part : rule["allOf"]) {
      if (part.contains("oneOf")) check_exactly_one(value, part["oneOf"], path);
      if (part.contains("not")) check_not_all(value, part["not"]["required"], path);
    }
  }

  void check_exactly_one(const json& value, const Json& alternatives, const std::string& path) const {
    std::vector<std::string> keys, found;
    for (const Json& alternative : alternatives) {
      keys.push_back(alternative["required"][0]);
      if (value.contains(keys.back())) found.push_back(keys.back());
    }
    if (found.size() == 1) return;
    if (found.empty())
      fail(code::scene_choice, path, "found none of {}, expected exactly one of them", quoted_list(keys));
    fail(code::scene_choice, path, "found {}, expected exactly one of them; remove the others", quoted_list(found));
  }

  void check_not_all(const json& value, const Json& keys, const std::string& path) const {
    if (std::all_of(keys.begin(), keys.end(),
                    [&](const Json& key) { return value.contains(key.get<std::string>()); })) {
      fail(code::scene_choice, path, "found {}, which exclude each other; remove one of them",
           quoted_list(string_values(keys)));
    }
  }

  // ---- alternatives

  Json alternatives(const json& value, const Rule& rule, const std::string& path, int depth) const {
    std::vector<const Json*> suitable;
    for (const Json& option : (*rule)["oneOf"]) {
      if (suits(value, option)) suitable.push_back(&option);
    }
    if (suitable.empty()) mismatch(value, rule, path);
    const bool only_constants =
        std::all_of(suitable.begin(), suitable.end(), [](const Json* o) { return o->contains("const"); });
    if (only_constants) {
      for (const Json* option : suitable) {
        if (Json(value) == (*option)["const"]) return Json(value);
      }
      mismatch(value, rule, path);
    }
    return walk(value, suitable.size() == 1 ? *suitable[0] : select_object(value, suitable, path), path, depth + 1,
                rule.unit);
  }

  // Among several kinds of objects: by the constant that tells them apart ("model"), else the first whose required keys
  // are there, else the last.
  const Json& select_object(const json& value, const std::vector<const Json*>& options, const std::string& path) const {
    const std::string key = discriminator(*options[0]);
    if (!key.empty()) return select_by_constant(value, options, key, path);
    for (const Json* option : options) {
      const Rule rule = resolve(*option);
      if (!rule->contains("required")) continue;
      const Json& keys = (*rule)["required"];
      if (std::all_of(keys.begin(), keys.end(), [&](const Json& k) { return value.contains(k.get<std::string>()); }))
        return *option;
    }
    check_some_kind(value, options, path);
    return *options.back();
  }

  // The keys of which an object of this kind has one at least.
  static std::vector<std::string> telling_keys(const Json& rule) {
    std::vector<std::string> keys;
    if (!rule.contains("properties")) return keys;
    if (rule.contains("required")) return {rule["required"][0]};
    if (!rule.contains("oneOf")) return keys;
    for (const Json& kind : rule["oneOf"]) {
      if (kind.contains("required")) keys.push_back(kind["required"][0]);
    }
    return keys;
  }

  // Where no key tells the kind of an object, the error names the keys of all kinds, not of the last alone.
  void check_some_kind(const json& value, const std::vector<const Json*>& options, const std::string& path) const {
    std::vector<std::string> kinds, known;
    for (const Json* option : options) {
      const Rule rule = resolve(*option);
      const std::vector<std::string> keys = telling_keys(*rule);
      if (keys.empty()) return;  // a kind that needs no key
      kinds.insert(kinds.end(), keys.begin(), keys.end());
      for (const auto& [key, schema] : (*rule)["properties"].items()) known.push_back(key);
    }
    const auto in_value = [&](const std::string& key) { return value.contains(key); };
    if (std::any_of(kinds.begin(), kinds.end(), in_value)) return;
    for (const auto& [key, item] : value.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) refuse_key(key, known, path);
    }
    fail(code::scene_choice, path, "found none of {}, expected exactly one of them", quoted_list(kinds));
  }

  std::string discriminator(const Json& option) const {
    const Rule rule = resolve(option);
    if (!rule->contains("properties")) return {};
    for (const auto& [key, schema] : (*rule)["properties"].items()) {
      if (schema.contains("const")) return key;
    }
    return {};
  }

  const Json& select_by_constant(const json& value, const std::vector<const Json*>& options, const std::string& key,
                                 const std::string& path) const {
    std::vector<std::string> names;
    for (const Json* option : options) {
      const Json& constant = (*option)["properties"][key];
      names.push_back(constant["const"]);
      if (value.contains(key) ? Json(value[key]) == constant["const"] : constant.contains("default")) return *option;
    }
    const Json& found = Json(value[key]);
    const std::string near = found.is_string() ? did_you_mean(found.get<std::string>(), names) : "";
    fail(code::scene_value, key_path(path, key), "found {}, expected one of {}{}", found_text(found),
         quoted_list(names), near);
  }

  const Json& root_;
  const std::string& source_;
};

}  // namespace

std::string key_path(const std::string& path, const std::string& key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '$' || c >= 0x80;
  });
  if (!plain) return fmt::format("{}[{}]", path, nlohmann::json(shortened(key)).dump());
  return path.empty() ? shortened(key) : path + "." + shortened(key);
}

std::string item_path(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

nlohmann::ordered_json complete(const nlohmann::json& document, const nlohmann::ordered_json& schema,
                                const std::string& source) {
  return Walker(schema, source).walk(document, schema, "", 0);
}

}  // namespace sinew
