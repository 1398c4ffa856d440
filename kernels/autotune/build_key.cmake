# Writes a header with a hash of sources and of how they are compiled:
#   cmake -DOUTPUT=header.hpp -DNAME=kBuildKey -DFILES=a;b -DFLAGS=text -P build_key.cmake
set(all "${FLAGS}")
foreach(file IN LISTS FILES)
  file(SHA256 "${file}" hash)
  string(APPEND all " ${hash}")
endforeach()
string(SHA256 key "${all}")
string(SUBSTRING "${key}" 0 16 key)
file(WRITE "${OUTPUT}" "#pragma once\ninline constexpr const char* ${NAME} = \"${key}\";\n")
