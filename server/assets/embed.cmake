# Writes OUTPUT: a C++ table of the text files below FOLDER, each as it is and packed by GZIP (without name and time, so
# that two builds make the same bytes). Literals are cut: compilers need not take long ones.
file(GLOB_RECURSE names RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT names)
set(rows "")
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}" text)
  string(LENGTH "${text}" left)
  set(literals "")
  set(at 0)
  while(at LESS left)
    string(SUBSTRING "${text}" ${at} 30000 piece)
    string(APPEND literals "\n     R\"kgasset(${piece})kgasset\"")
    math(EXPR at "${at} + 30000")
  endwhile()
  execute_process(COMMAND "${GZIP}" -9nc "${FOLDER}/${name}" OUTPUT_FILE "${OUTPUT}.gz" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${OUTPUT}.gz" packed HEX)
  string(LENGTH "${packed}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................................................)" "\\1\"\n     \"" packed "${packed}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" packed "${packed}")
  string(APPEND rows "    {\"${name}\",${literals},\n     std::string_view(\"${packed}\", ${size})},\n")
endforeach()
file(REMOVE "${OUTPUT}.gz")
file(WRITE "${OUTPUT}.new" "// Made by server/assets/embed.cmake.
#include \"server/assets/files.hpp\"

namespace kernelgate::assets {

std::span<const EmbeddedFile> embedded_files() {
  static constexpr EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace kernelgate::assets
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
