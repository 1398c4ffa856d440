// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every limit of the product, each with its reason. A limit that a user may meet is named in the error it causes.

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "core/units/strong.hpp"

namespace kernelgate::limits {

using namespace std::chrono_literals;

// HTTP
constexpr Bytes kRequestBodyMax{8u << 20};      // one process of 500 benchmarks x 9 samples with counters is under 1 MB
constexpr Bytes kOpenBodyMax{4u << 20};         // of strangers; GitHub's push of 2,048 commits has about 2 MB
constexpr Bytes kHeaderMax{16u << 10};             // tokens and paths are short
constexpr std::chrono::seconds kRequestDeadline{30s};   // a slow writer must not hold a session
constexpr std::chrono::seconds kLongPollMax{25s};       // under the usual proxy time-out of 30 s
constexpr std::chrono::seconds kIdleMax{75s};      // a kept connection outlives two heartbeats
constexpr std::chrono::seconds kStopGrace{5s};     // what requests under way get when the server stops
constexpr Bytes kTargetMax{4u << 10};              // path and query of one request
constexpr int kEventsQueuedMax = 256;              // per reader of the event stream; a slower one is dropped
constexpr std::chrono::seconds kEventKeepAlive{15s};    // proxies cut what is silent for 30 s
constexpr std::chrono::seconds kEventWriteMax{10s};     // a reader of events that takes nothing for so long is gone
constexpr std::chrono::seconds kLingerMax{2s};     // for a peer that is still sending what was refused
constexpr Bytes kAnswerMax{64u << 20};             // what our client takes: a page of runs with all comparisons
constexpr std::chrono::seconds kConnectTimeout{10s};    // a host that drops packets is away
constexpr int kConnectionsMax = 512;               // a few runners, hooks that wait, browsers
constexpr int kPageDefault = 50;
constexpr int kPageMax = 500;                      // keeps one answer under a megabyte
constexpr int kHeldRunsMax = 200;               // per repository: strangers must not fill the store
constexpr int kQueuedRunsMax = 2000;            // per repository; a push of a whole history is refused, not half taken

// Webhooks
constexpr std::chrono::hours kDeliveriesKept{24 * 30};  // ten times as long as GitHub lets people send one again
constexpr std::size_t kDeliveryIdMax = 100;        // GitHub's are UUIDs of 36 bytes
constexpr int kInstallationRepositoriesMax = 10000;  // that an App is noted on

// Leases and runners
constexpr std::chrono::seconds kLeaseDuration{90s};      // three missed heartbeats
constexpr std::chrono::seconds kHeartbeatEvery{30s};
constexpr int kClaimAttemptsMax = 5;               // a job that kills its runner five times is infrastructure
constexpr std::chrono::seconds kServerAwayMax{600s};     // how long a runner keeps results for an absent server

// Browser logins
constexpr std::chrono::hours kLoginIdleMax{12};    // a working day; a browser left alone is locked the next morning
constexpr std::chrono::hours kLoginAgeMax{24 * 7}; // the token is asked for once a week at least
constexpr int kLoginsPerToken = 20;                // browsers of one person; the oldest login ends
constexpr int kLoginFailuresMax = 10;              // of one address in kLoginFailureWindow; then it waits
constexpr std::chrono::seconds kLoginFailureWindow{60s};
constexpr std::size_t kLoginPeersMax = 4096;       // addresses whose failures are counted at a time

// Processes under measurement
constexpr Bytes kSuiteOutputMax{64u << 20};        // a suite of 2,000 benchmarks prints 10 MB of JSON
constexpr Bytes kLogMax{4u << 20};                 // the first and last half are kept of a longer log
constexpr std::chrono::seconds kSuiteTimeoutDefault{120s};
constexpr std::chrono::seconds kSuiteTimeoutMax{3600s};
constexpr std::chrono::seconds kBuildTimeout{1800s};
constexpr std::chrono::seconds kBuildTimeoutMax{7200s};  // a build that needs two hours wants a cache of its own
constexpr std::chrono::seconds kFetchTimeout{600s};
constexpr std::chrono::seconds kKillGrace{2s};     // between SIGTERM and SIGKILL of a process group
constexpr int kBenchmarksPerSuiteMax = 2000;
constexpr int kSamplesPerSeriesMax = 100000;
constexpr std::size_t kBenchmarkNameMax = 512;
constexpr std::size_t kConfigurationMax = 128;   // characters of a benchmark's configuration
constexpr double kIterationNsMax = 8.64e13;     // a day: a suite has an hour at most, a recorded file may know more
constexpr double kIterationNsMin = 1e-6;        // a femtosecond: light passes a third of a micrometre
constexpr int kPairsMax = 64;
constexpr int kAncestorsMax = 20;                  // how far a good base is looked for

// Baselines, history, workloads
constexpr int kSessionsMax = 60;                // of a benchmark, in a claim: two months of nights
constexpr int kHistoryPointsMax = 10000;        // of one benchmark, searched for change points
constexpr std::size_t kReasonMax = 2000;        // bytes of a reason or a lesson: a paragraph, not a log
constexpr int kWorkloadsMax = 64;               // a manifest's; and the entries of one
constexpr Bytes kBundleMax{256u << 20};         // a replayable verdict: 2,000 benchmarks x 128 processes, packed
constexpr int kQuarantinesMax = 2000;           // in force at a time, of a repository: as many as a suite may have
constexpr Bytes kImportMax{8u << 20};           // a file of baselines: what one request carries
constexpr std::size_t kImportLineMax = 1u << 20;  // one benchmark with kSessionsMax sessions is under 100 kB

// Bisections and backfills
constexpr int kBisectionCommitsMax = 4096;      // between good and bad: twelve halvings
constexpr int kBisectionRunsMax = 100;          // of one; a history of commits that do not build ends here
constexpr int kBisectionRepeatsMax = 3;         // runs of one undecided or disturbed step
constexpr int kBisectionsMax = 20;              // under way in a repository
constexpr int kBackfillMax = 200;               // parents measured for one request

// The ledger of attempts
constexpr std::size_t kHypothesisMax = 2000;    // bytes kept of a commit's trailer
constexpr int kFailuresPerAttemptMax = 64;      // distinct fingerprints; a broken kernel fails every case alike
constexpr int kAlikeNamedMax = 8;               // attempts named beside another one; more are counted
constexpr int kReportAttemptsMax = 2000;        // of one tuning report: months of tuning
constexpr Bytes kPatchMax{32u << 20};           // a longer change is not held against earlier ones

// Devices
constexpr std::chrono::seconds kCardWaitMax{120s};      // for the card to be idle, cool and alone before a pair
constexpr std::chrono::seconds kCardProbeTimeout{30s};  // health probe after a hang or a crash
constexpr std::chrono::seconds kSanitizerTimeout{120s}; // one benchmark alone under compute-sanitizer
constexpr std::chrono::seconds kProfileTimeout{180s};   // one benchmark of one side under the profiler
constexpr std::chrono::seconds kDisassembleTimeout{120s};
constexpr Bytes kDisassemblyMax{256u << 20};    // SASS text of one executable; a larger one is said and skipped
constexpr int kKernelsMax = 2000;               // of one executable
constexpr int kSweepPointsMax = 512;            // of one matrix: each is a build
constexpr int kCharacterizeSamplesMax = 10000;  // of one benchmark

// Simulation
constexpr int kSimulationTrialsMax = 1000000;    // a row of a million takes about two minutes

// Forges and others who are told of runs
constexpr std::chrono::seconds kForgeTimeout{10s};      // GitHub itself ends a request after 10 s
constexpr std::chrono::milliseconds kForgePauseFirst{1000ms};  // before the first repetition; doubled each time
constexpr std::chrono::seconds kForgePauseMax{900s};    // after an outage all is told within a quarter of an hour
constexpr std::chrono::seconds kForgeGiveUp{72h};       // outlasts a weekend's outage
constexpr std::chrono::seconds kForgeRefusedFor{6h};    // may yet be mended: permission, a commit not pushed yet
constexpr int kForgeSettleTimeouts = 3;                 // a request that broke off may still be under way for so many
constexpr int kReceiversMax = 32;                       // webhooks and chat rooms; each has a thread of its own
constexpr int kForgeBatch = 20;                         // messages of one target in a round: others get their turn
constexpr int kForgeChangesPerRound = 200;              // changes of runs turned into messages in one transaction
constexpr std::chrono::seconds kOutboxTidyEvery{1h};    // old messages, and those to targets that are no more
constexpr std::chrono::seconds kForgeLimitedFor{60s};   // a limit that names no time: GitHub asks for a minute
constexpr std::chrono::milliseconds kOutboxLookEvery{500ms};  // "pending" is to stand at once
constexpr std::chrono::seconds kForgeTokenSpare{300s};  // an App's token is renewed so long before its hour ends
constexpr std::chrono::seconds kOutboxKept{24h * 30};   // what was sent to whom, for those who ask afterwards
constexpr std::size_t kForgeTextMax = 60000;            // GitHub takes 65,536 characters of a comment or a summary
constexpr std::size_t kForgeRowsMax = 60;               // of a table in them: what moved comes first
constexpr std::size_t kForgeStatusMax = 140;            // GitHub's limit on a status' text, in characters
constexpr std::size_t kForgeAnnotationsMax = 50;        // of one request to GitHub
constexpr int kForgePagesMax = 30;                      // of 100 comments or check runs, searched for our own
constexpr std::size_t kTokenFileMax = 4096;             // fine-grained tokens have under 300 bytes
constexpr std::size_t kKeyFileMax = 16384;              // an RSA key of 8192 bits as PEM has 6.4 kB

// Files
constexpr Bytes kManifestMax{256u << 10};
constexpr Bytes kCompareFileMax{256u << 20};
constexpr Bytes kBuildCacheDefault{20ull << 30};   // oldest builds go first
constexpr int kHookQueueMax = 1000;                // triggers kept locally while the server is away

}  // namespace kernelgate::limits
