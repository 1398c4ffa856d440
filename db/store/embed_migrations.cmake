# Writes OUT: a C++ table of the migration files in DIR, in the order of their numbers.
file(GLOB files RELATIVE "${DIR}" "${DIR}/*.sql")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  if(NOT file MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+\\.sql$")
    message(FATAL_ERROR "a migration is called NNNN_verb_noun.sql, not ${file}")
  endif()
  math(EXPR number "1${CMAKE_MATCH_1} - 10000")
  string(REPLACE ".sql" "" name "${file}")
  file(READ "${DIR}/${file}" sql)
  string(APPEND rows "    {${number}, \"${name}\", R\"KGSQL(${sql})KGSQL\"},\n")
endforeach()
file(WRITE "${OUT}.new" "// Generated from db/migrations.
#include \"db/store/migrations.hpp\"

namespace kernelgate::db {
namespace {
constexpr Migration kMigrations[] = {
${rows}};
}  // namespace

std::span<const Migration> embedded_migrations() { return kMigrations; }
}  // namespace kernelgate::db
")
file(COPY_FILE "${OUT}.new" "${OUT}" ONLY_IF_DIFFERENT)
