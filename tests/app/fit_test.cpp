// sinew fit: how sure its numbers are, foams, and the plot.
#include <filesystem>
#include <regex>

#include "command.h"
#include "support/paths.h"
#include <gmock/gmock.h>

#include "sinew/app/svg_chart.h"
#include "sinew/formats/xml.h"

namespace sinew {
namespace {

using test::sinew;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FitCommand : public test::CommandTest {
 protected:
  // Names of all elements by a walk over the tree; the parser throws unless they are nested and closed.
  static void count(const XmlElement& element, const std::string& kind, int& number) {
    number += element.name == kind && element.attribute("class") == "point";
    for (const XmlElement& child : element.children) count(child, kind, number);
  }
  // The points of a plot, those of its key included.
  int points(const std::string& name, const std::string& kind = "circle") const {
    const std::string text = test::slurp(folder_ / name);
    static const std::regex bare("&(?!amp;|lt;|gt;|quot;)");
    EXPECT_FALSE(std::regex_search(text, bare));
    ByteReader reader(name, text);
    const XmlElement root = parse_xml(reader, "");
    EXPECT_EQ(root.name, "svg");
    int number = 0;
    count(root, kind, number);
    return number;
  }

  const std::string rubber_ = test::source_folder() + "/scenes/data/rubber_";
  const std::string plot_ = path("plot.svg");
};

// A neo-Hookean solid of mu = 2e5 with an error at one point.
constexpr const char* noisy = "stretch,stress\n0.8,-152500\n1,0\n1.5,215000\n2,350000\n";

TEST_F(FitCommand, TellsStandardDeviations) {
  const std::string curve = write("rubber.csv", noisy);
  const auto result = sinew({"fit", "neo_hookean", "--uniaxial", curve, "--poisson", "0.45", "-o", path("fit.json")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::regex_search(
      result.out, std::regex(R"(\nlambda 1\.8\d+e\+06 Pa \+- 0\.\d+ %, mu 20\d+(\.\d+)? Pa \+- 0\.\d+ %\n)")))
      << result.out;
  EXPECT_EQ(result.err, "");
  // The file holds what a scene takes, and nothing else.
  std::vector<std::string> keys;
  const nlohmann::json material = json("fit.json");
  for (const auto& [key, value] : material.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("lambda", "model", "mu"));
}

TEST_F(FitCommand, WarnsOfUnsureNumbers) {
  const std::string curve = write("rubber.csv", noisy);
  const auto result = sinew({"fit", "ogden", "--terms", "2", "--uniaxial", curve});
  EXPECT_THAT(result.err, HasSubstr("unsure by more than 50 %: mu[0], mu[1], alpha[0], alpha[1]; add curves of another "
                                    "experiment, or fit fewer terms with --terms"));
  EXPECT_THAT(result.out, HasSubstr("\nterm 1: mu "));
}

TEST_F(FitCommand, FitsFoams) {
  // One term with mu = 2e4, alpha = 2 and Poisson's ratio 0: P = 2e4 (l - 1 / l).
  const std::string curve = write("foam.csv", "0.4,-42000\n0.5,-30000\n0.8,-9000\n1,0\n1.25,9000\n");
  const auto foam = sinew({"fit", "hyperfoam", "--terms", "1", "--uniaxial", curve, "-o", path("foam.json")});
  EXPECT_EQ(foam.code, 0) << foam.err;
  EXPECT_THAT(foam.out, HasSubstr("with Poisson's ratio 0\nterm 0: mu 20000 Pa +- < 0.01 %, alpha 2 +- < 0.01 %\n"));
  EXPECT_EQ(json("foam.json")["poisson"], nlohmann::json::parse("[0.0]"));
  const auto blatz_ko = sinew({"fit", "blatz_ko", "--uniaxial", curve, "-o", path("blatz_ko.json")});
  EXPECT_EQ(blatz_ko.code, 0) << blatz_ko.err;
  EXPECT_THAT(blatz_ko.out, HasSubstr("with Poisson's ratio 0.25\nmu "));
  EXPECT_THAT(sinew({"fit", "blatz_ko", "--uniaxial", curve, "--poisson", "0.3"}).err,
              HasSubstr("model 'blatz_ko' has Poisson's ratio 0.25; remove it"));
  for (auto& body : scene_["bodies"]) body["material"] = "foam";
  scene_["materials"]["foam"] = json("foam.json");
  scene_["materials"]["other"] = json("blatz_ko.json");
  save();
  const auto written = sinew({"check", scene_path_, "--brief"});
  EXPECT_EQ(written.code, 0) << written.err;
  // The same fit when the scene is read.
  scene_["materials"]["foam"] = {{"model", "hyperfoam"}, {"from_data", {{"file", "foam.csv"}, {"terms", 1}}}};
  save();
  const auto read = sinew({"check", scene_path_, "--brief", "--json", path("check.json")});
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_THAT(read.out, HasSubstr("with Poisson's ratio 0\n    term 0: mu 20000 Pa"));
  const auto fit = json("check.json")["run"]["materials"]["foam"]["fit"];
  EXPECT_EQ(fit["parameters"]["mu"], json("foam.json")["mu"]);
  EXPECT_LT(fit["deviations"]["alpha"][0].get<double>(), 1e-3);
  scene_["materials"]["foam"] = {{"model", "blatz_ko"}, {"from_data", {{"file", "foam.csv"}, {"poisson", 0.3}}}};
  save();
  EXPECT_THAT(sinew({"check", scene_path_}).err, HasSubstr("'blatz_ko' has Poisson's ratio 0.25"));
}

TEST_F(FitCommand, PlotsEachMeasuredPoint) {
  const auto result = sinew(
      {"fit", "yeoh", "--uniaxial", rubber_ + "uniaxial.csv", "--biaxial", rubber_ + "biaxial.csv", "--plot", plot_});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(points("plot.svg"), 25 + 17 + 2);
  const std::string text = test::slurp(plot_);
  EXPECT_THAT(text, HasSubstr(">uniaxial: rubber_uniaxial.csv, residual "));
  EXPECT_THAT(text, HasSubstr(">nominal stress [MPa]<"));
  EXPECT_THAT(text, Not(HasSubstr("line dashed")));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  const auto unstable =
      sinew({"fit", "mooney_rivlin", "--uniaxial", rubber_ + "uniaxial.csv", "--allow-unstable", "--plot", plot_});
  EXPECT_EQ(unstable.code, 0) << unstable.err;
  EXPECT_THAT(test::slurp(plot_), HasSubstr("line dashed"));
}

TEST_F(FitCommand, PlotsViscosity) {
  const std::string oscillation =
      write("o<&>\".csv", "0.1,1.1e5,2e4\n0.3,1.3e5,3e4\n1,1.5e5,3.1e4\n3,1.7e5,2.5e4\n10,1.8e5,1e4\n");
  const auto result = sinew({"fit", "viscosity", "--relaxation", rubber_ + "relaxation.csv", "--plot", plot_});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(points("plot.svg"), 43 + 1);
  const auto both = sinew({"fit", "viscosity", "--dynamic", oscillation, "--branches", "1", "--plot", plot_});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(points("plot.svg"), 5 + 1);
  EXPECT_EQ(points("plot.svg", "rect"), 5 + 1);
  EXPECT_THAT(test::slurp(plot_), HasSubstr("storage modulus: o&lt;&amp;&gt;&quot;.csv, residual"));
}

TEST_F(FitCommand, WritesNoPlotWithoutAFit) {
  const std::string bad = write("bad.csv", "1,0\n2,soft\n3,1\n"), good = write("rubber.csv", noisy);
  EXPECT_EQ(sinew({"fit", "yeoh", "--uniaxial", bad, "--plot", plot_}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(plot_));
  // A bad path is refused before the curve is read.
  const auto nowhere = sinew({"fit", "yeoh", "--uniaxial", bad, "--plot", path("no/plot.svg")});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("no/plot.svg: cannot write: the folder"));
  const auto twice = sinew({"fit", "yeoh", "--uniaxial", good, "--plot", path("a.svg"), "-o", path("a.svg")});
  EXPECT_EQ(twice.err, "error: fit: --plot and --output are both \"" + path("a.svg") + "\"; give two names\n");
  EXPECT_FALSE(std::filesystem::exists(path("a.svg")));
}

TEST(SvgChart, RoundTicks) {
  EXPECT_THAT(app::linear_ticks(-0.3, 6.5, 6), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(app::linear_ticks(0.9, 2.1, 5), ElementsAre(1, 1.25, 1.5, 1.75, 2));
  EXPECT_THAT(app::logarithmic_ticks(0.05, 200, 6), ElementsAre(0.1, 1, 10, 100));
  EXPECT_THAT(app::logarithmic_ticks(0.9, 30, 6), ElementsAre(1, 2, 5, 10, 20));
  EXPECT_THAT(app::logarithmic_ticks(1.1e6, 1.75e6, 6), ElementsAre(1.2e6, 1.4e6, 1.6e6));
  EXPECT_EQ(app::logarithmic_ticks(1e-12, 1e12, 6).size(), 7u);
}

TEST(SvgChart, TickTexts) {
  EXPECT_EQ(app::tick_text(0.25), "0.25");
  EXPECT_EQ(app::tick_text(-3), "−3");
  EXPECT_EQ(app::tick_text(0), "0");
  EXPECT_EQ(app::tick_text(1e-4), "10⁻⁴");
  EXPECT_EQ(app::tick_text(2e5), "2·10⁵");
}

}  // namespace
}  // namespace sinew
