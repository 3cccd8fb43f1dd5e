#include "sinew/io/sound_source.h"

#include "sinew/io/modal_source.h"
#include "sinew/io/motion_source.h"

namespace sinew {

std::unique_ptr<SoundSource> make_sound_source(const SoundSettings& settings, const System& system) {
  if (settings.source == SoundOrigin::motion) return std::make_unique<MotionSource>(settings, system);
  return std::make_unique<ModalSource>(settings, system);
}

}  // namespace sinew
