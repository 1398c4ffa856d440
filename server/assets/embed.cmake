# Writes OUTPUT: a C++ table of the text files below FOLDER. Literals are cut: compilers need not take long ones.
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
  string(APPEND rows "    {\"${name}\",${literals}},\n")
endforeach()
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
