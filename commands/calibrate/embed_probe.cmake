# Writes OUT: the text of the program IN as a function.
file(READ "${IN}" program)
file(WRITE "${OUT}.new" "// Generated from kernels/probe/calibration.cpp.
#include \"commands/calibrate/probe_repository.hpp\"

namespace kernelgate::local {
std::string_view probe_program() { return R\"KGPROBE(${program})KGPROBE\"; }
}  // namespace kernelgate::local
")
file(COPY_FILE "${OUT}.new" "${OUT}" ONLY_IF_DIFFERENT)
