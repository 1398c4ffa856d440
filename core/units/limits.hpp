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
constexpr Bytes kRequestBodyMax{8u << 20};  // one process of 500 benchmarks x 9 samples with counters is under 1 MB
constexpr Bytes kOpenBodyMax{4u << 20};     // of untrusted people; GitHub's push of 2,048 commits has about 2 MB
constexpr Bytes kHeaderMax{16u << 10};      // tokens and paths are short
constexpr std::chrono::seconds kRequestDeadline{30s};  // a slow writer must not hold a session
constexpr std::chrono::seconds kLongPollMax{25s};      // under the usual proxy time-out of 30 s
constexpr std::chrono::seconds kIdleMax{75s};          // a kept connection outlives two heartbeats
constexpr std::chrono::seconds kStopGrace{5s};         // what requests under way get when the server stops
constexpr Bytes kTargetMax{4u << 10};                  // path and query of one request
constexpr int kEventsQueuedMax = 256;                  // per reader of the event stream; a slower one is dropped
constexpr std::chrono::seconds kEventKeepAlive{15s};   // proxies cut what is silent for 30 s
constexpr std::chrono::seconds kEventWriteMax{10s};    // a reader of events that takes nothing for so long is gone
constexpr std::chrono::seconds kLingerMax{2s};         // for a peer that is still sending what was refused
constexpr Bytes kAnswerMax{64u << 20};                 // what our client takes: a page of runs with all comparisons
constexpr std::chrono::seconds kRetryAfterMax{30s};    // a server that asks for more is asked sooner
constexpr std::chrono::seconds kConnectTimeout{10s};   // a host that drops packets is away
constexpr int kConnectionsMax = 512;                   // a few runners, hooks that wait, browsers
constexpr int kEventReadersMax = 256;                  // browsers that watch; half of the connections stay free
constexpr Bytes kUnsignedBodiesMax{32u << 20};         // of all bodies nobody vouches for yet: eight of the largest
constexpr int kReservedThreads = 4;                    // for runners, webhooks and whatever changes something
constexpr int kReservedReaders = 2;                    // connections to the store for the same
constexpr int kReaderNice = 10;                        // of the threads that read for pages: a tenth of a core's share
constexpr std::chrono::seconds kMetricsKept{5s};       // Prometheus asks every 15 s or so
constexpr int kPlotPointsMax = 1000;                   // a plot has 378 columns
constexpr int kPageDefault = 50;
constexpr int kPageMax = 500;         // keeps one answer under a megabyte
constexpr int kHeldRunsMax = 200;     // per repository: untrusted people must not fill the store
constexpr int kQueuedRunsMax = 2000;  // per repository; a push of a whole history is refused, not half taken
constexpr std::chrono::milliseconds kAcceptPause{100ms};  // out of descriptors: do not spin
constexpr std::size_t kCompressMax = 64u << 20;  // larger answers go as they are: half a second of gzip at most
constexpr std::size_t kAuthorizationMax = 512;   // of the header; a token has 64 characters
constexpr std::chrono::minutes kTouchEvery{1};   // "last used" to the minute costs few writes
constexpr std::size_t kAnswerHeadersMax = 200;   // of an answer to us: one with more keeps its first
constexpr int kJsonDepthMax = 32;                // the deepest message nests 8; parsers keep off the stack's end
constexpr int kRunningShownMax = 100;            // runs under way on the overview: more are on the page of runs

// Names and texts that people give
constexpr std::size_t kNameMax = 100;         // of a repository, runner, testbed, token or baseline
constexpr std::size_t kFullNameMax = 255;     // of a repository at its forge, with its owner
constexpr std::size_t kRefMax = 255;          // what file systems allow git for one part of a name
constexpr std::size_t kUrlMax = 1000;         // of a repository, for git
constexpr std::size_t kTokenMax = 200;        // ours have 64 characters
constexpr std::size_t kCommitTextMax = 1000;  // bytes kept of a commit's subject, and of its author
constexpr int kDaysMax = 36500;               // a century: what is older does not exist
constexpr int kAcceptDaysMax = 3650;          // ten years; who means for good says nothing

// The manifest
constexpr std::size_t kSuitesMax = 64;              // more want a second manifest: each is a process of its own
constexpr std::size_t kOverridesMax = 100;          // each is compared with every benchmark's name
constexpr std::size_t kGlobsMax = 200;              // each is compared with every path of a commit
constexpr std::size_t kGlobMax = 512;               // bytes: longer than any path worth a pattern
constexpr std::size_t kMatchMax = 256;              // bytes of a benchmark pattern: half of the longest name
constexpr std::size_t kWorkloadEntriesMax = 256;    // of all workloads: each is searched in every name
constexpr std::size_t kManifestNameMax = 128;       // of a suite: file systems allow 255 for a folder's name made of it
constexpr int kTomlDotsMax = 4000;                  // of a file, outside texts: each may nest its tables once more
constexpr std::size_t kCommandMax = 8192;           // longer belongs into a script
constexpr double kGpuSecondsMax = 24 * 3600;        // one day, of a run or of a calibration's part
constexpr std::size_t kEnvironmentMax = 64;         // variables of a [build] or [[suite]]: more belong into a script
constexpr std::size_t kEnvironmentValueMax = 4096;  // bytes of one: as long as a path may be
constexpr std::size_t kPathFoldersMax = 32;         // of `path`: the shell looks through them for each command

// Webhooks
constexpr std::chrono::hours kDeliveriesKept{24 * 30};  // ten times as long as GitHub lets people send one again
constexpr std::size_t kDeliveryIdMax = 100;             // GitHub's are UUIDs of 36 bytes
constexpr std::chrono::hours kSecretOverlap{1};         // a replaced secret counts so long: time to set the new one
constexpr int kInstallationRepositoriesMax = 10000;     // that an App is noted on

// Leases and runners
constexpr std::chrono::seconds kLeaseDuration{90s};  // three missed heartbeats
constexpr std::chrono::seconds kHeartbeatEvery{30s};
constexpr int kClaimAttemptsMax = 5;                  // a job that kills its runner five times is infrastructure
constexpr std::chrono::seconds kReleasePause{30s};    // of a job given back twice; doubled each time
constexpr std::chrono::seconds kServerAwayMax{600s};  // how long a runner keeps results for an absent server
constexpr std::chrono::seconds kRecoveryPause{10s};   // between looks whether a taken or unhealthy GPU is well again
constexpr std::size_t kOwnTokenFileMax = 255;         // our token and some white space
constexpr std::size_t kLogSentMax = kRequestBodyMax.value / 8;  // JSON makes six characters of one odd byte

// Browser logins
constexpr std::chrono::hours kLoginIdleMax{12};     // a working day; a browser left alone is locked the next morning
constexpr std::chrono::hours kLoginAgeMax{24 * 7};  // the token is asked for once a week at least
constexpr int kLoginsPerToken = 20;                 // browsers of one person; the oldest login ends
constexpr std::size_t kLoginBodyMax = 4096;         // a token and whom it is for: read for anybody who asks
constexpr int kLoginFailuresMax = 10;               // of one address in kLoginFailureWindow; then it waits
constexpr std::chrono::seconds kLoginFailureWindow{60s};
constexpr std::size_t kLoginPeersMax = 4096;  // addresses whose failures are counted at a time

// Processes under measurement
constexpr Bytes kSuiteOutputMax{64u << 20};  // a suite of 2,000 benchmarks prints 10 MB of JSON
constexpr Bytes kLogMax{4u << 20};           // the first and last half are kept of a longer log
constexpr std::chrono::seconds kSuiteTimeoutDefault{120s};
constexpr std::chrono::seconds kSuiteTimeoutMax{3600s};
constexpr std::chrono::seconds kBuildTimeout{1800s};
constexpr std::chrono::seconds kBuildTimeoutMax{7200s};  // a build that needs two hours wants a cache of its own
constexpr std::chrono::seconds kFetchTimeout{600s};
constexpr std::chrono::seconds kKillGrace{2s};  // between SIGTERM and SIGKILL of a process group
constexpr int kBenchmarksPerSuiteMax = 2000;
constexpr std::size_t kCheckCasesMax = 5000;  // of a suite and side: both sides of a run stay under an upload's size
constexpr std::size_t kSaidTextMax = 2000;    // bytes of one text that a suite or a check says: a message, not a log
constexpr Bytes kEvidenceMax{6u << 20};       // of a run's end; the manifest goes along in one kRequestBodyMax
constexpr Bytes kProcessMax{7u << 20};        // of one process as it is uploaded: 130,000 samples with their counters
constexpr std::size_t kNoticesMax = 200;      // of a run: nobody reads more
constexpr int kSamplesPerSeriesMax = 100000;
constexpr std::size_t kSampleLineMax = 4u << 20;  // bytes of a line of samples: 100,000 of 20 digits have 2 MB
constexpr std::size_t kCountersMax = 64;          // of a line of samples: a page shows a dozen
constexpr std::size_t kBenchmarkNameMax = 512;
constexpr std::size_t kJsonValuesMax = 8'000'000;  // of a document that is kept whole while read: some 600 MB at worst
constexpr int kAxisLooksMax = 2'000'000;           // in NVBench's axes: 2,000 states of 5 axes look at 200 values each
constexpr std::size_t kConfigurationMax = 128;     // characters of a benchmark's configuration
constexpr double kIterationNsMax = 8.64e13;        // a day: a suite has an hour at most, a recorded file may know more
constexpr double kIterationNsMin = 1e-6;           // a femtosecond: light passes a third of a micrometre
constexpr int kPairsMax = 64;
constexpr int kAncestorsMax = 20;                      // how far a good base is looked for
constexpr std::chrono::milliseconds kDrainMax{500ms};  // for a pipe held open by a process that could not be killed
constexpr std::chrono::seconds kLeftoversMax{10s};  // for a dead child's descendants to die, one in a driver call too
constexpr int kSandboxProcessesMax = 4096;          // of all programs of the sandbox's user: a fork bomb stops here
constexpr Bytes kSandboxFileMax{16ull << 30};       // and one runaway file here
constexpr Bytes kSandboxTmpMax{4ull << 30};         // /tmp lies in memory; 16 compilers of CUDA take about 2 GiB
constexpr Bytes kSandboxSharedMemoryMax{1u << 30};  // /dev/shm likewise; NCCL takes some MiB a GPU
constexpr std::size_t kToolchainFoldersMax = 64;    // shown in the sandbox: each is a mount of every program
constexpr double kProgramMemoryShare = 0.875;       // of the machine's memory, in one program and its descendants:
                                                    // the rest is for the runner, a server beside it and their files
constexpr int kProgramCpuWeight = 50;               // half of what the runner beside it has: heartbeats get through
constexpr std::chrono::milliseconds kMemoryLookEvery{250ms};  // where no control group counts memory
constexpr std::chrono::seconds kTreeLookEvery{2s};            // at the size of folders that grow
constexpr int kLookPauseShare = 20;                 // a look that takes long is followed by 20 times the pause: 5 %
constexpr std::uint64_t kTreeFilesMax = 4'000'000;  // of one build: four checkouts of Chromium; inodes run out too
constexpr Bytes kDiskKept{256u << 20};              // of free space: a program that leaves less is ended
constexpr Bytes kMirrorMax{32ull << 30};            // of one repository: five times Linux with its history
constexpr std::int64_t kGibMax = 1 << 20;           // of an option in GiB: a pebibyte
constexpr std::chrono::hours kRunMax{6};       // of a run: base's and head's builds take four at most, measuring one
constexpr Bytes kLargeFileMax{4ull << 30};     // of git LFS: one file passes through memory
constexpr std::size_t kFilterMax = 60000;      // Linux takes 128 KiB in one argument, libstdc++'s regular
                                               // expressions 100,000 states; escapes double a character
constexpr std::size_t kFailureTextMax = 4000;  // the last bytes of a build's log, in a verdict
constexpr int kRerunsMax = 10;                 // failures of a run run again: more of them seldom have more causes
constexpr std::int64_t kProcessIdMax = 128;    // bytes; ours have 32
constexpr std::int64_t kRoundsMax = 10;        // of looks at one run; the runner makes two
constexpr std::int64_t kOrderMax = 1'000'000;  // far above what any budget allows; keeps indices sane
constexpr std::size_t kPinnedMax = 8;          // benchmarks of a suite tried with both configurations
constexpr int kPinnedPairsMax = 8;             // of each try: it tells tuner from kernel and decides nothing

// Baselines, history, workloads
constexpr int kSessionsMax = 60;                  // of a benchmark, in a claim: two months of nights
constexpr int kHistoryPointsMax = 10000;          // of one benchmark, in one answer: 2 MB; searched for change points
constexpr int kRecentPointsMax = 30;              // of each benchmark in a list of them: a sparkline
constexpr int kOpenRegressionsMax = 200;          // on the overview: nobody reads more at once
constexpr std::size_t kClaimFiguresMax = 200000;  // of stored sessions, in one claim: about 4 MB of JSON
constexpr std::size_t kReasonMax = 2000;          // bytes of a reason or a lesson: a paragraph, not a log
constexpr int kWorkloadsMax = 64;                 // a manifest's; and the entries of one
constexpr Bytes kBundleMax{256u << 20};           // a replayable verdict: 2,000 benchmarks x 128 processes, packed
constexpr int kQuarantinesMax = 2000;             // in force at a time, of a repository: as many as a suite may have
constexpr Bytes kImportMax{8u << 20};             // a file of baselines: what one request carries
constexpr std::size_t kImportLineMax = 1u << 20;  // one benchmark with kSessionsMax sessions is under 100 kB

// Bisections and backfills
constexpr int kBisectionCommitsMax = 4096;              // between good and bad: twelve halvings
constexpr int kBisectionRunsMax = 100;                  // of one; a history of commits that do not build ends here
constexpr int kBisectionRepeatsMax = 3;                 // runs of one undecided or disturbed step
constexpr int kBisectionsMax = 20;                      // under way in a repository
constexpr int kBackfillMax = 200;                       // parents measured for one request
constexpr std::chrono::seconds kBisectionAskEvery{2s};  // how a bisection started here looks for its verdict

// The ledger of attempts
constexpr std::size_t kHypothesisMax = 2000;  // bytes kept of a commit's trailer
constexpr int kFailuresPerAttemptMax = 64;    // distinct fingerprints; a broken kernel fails every case alike
constexpr int kAlikeNamedMax = 8;             // attempts named beside another one; more are counted
constexpr int kAlikeRowsMax = 500;            // a sweep in which every point fails alike
constexpr int kReportAttemptsMax = 2000;      // of one tuning report: months of tuning
constexpr Bytes kPatchMax{32u << 20};         // a longer change is not compared with earlier ones

// Devices
constexpr std::chrono::seconds kGpuWaitMax{120s};        // for the GPU to be idle, cool and alone before a pair
constexpr std::chrono::seconds kGpuProbeTimeout{30s};    // health probe after a hang or a crash
constexpr std::chrono::seconds kSanitizerTimeout{120s};  // one benchmark alone under compute-sanitizer
constexpr std::chrono::seconds kProfileTimeout{180s};    // one benchmark of one side under the profiler
constexpr std::chrono::seconds kDisassembleTimeout{120s};
constexpr Bytes kDisassemblyMax{256u << 20};    // SASS text of one executable; a larger one is said and skipped
constexpr int kKernelsMax = 2000;               // of one executable
constexpr int kSweepPointsMax = 512;            // of one matrix: each is a build
constexpr int kCharacterizeSamplesMax = 10000;  // of one benchmark
constexpr std::size_t kProfiledMax = 3;         // benchmarks of one suite: each takes seconds of the GPU on both sides
constexpr std::chrono::hours kProfileLease{2};  // two builds of half an hour and two minutes on the GPU, with room
constexpr int kProfileClaimsMax = 3;            // a profile that loses its runner three times is not asked for again
constexpr int kProfilesWaitingMax = 20;         // of one repository: each takes the GPU for a while
constexpr std::size_t kProfileTextMax = 4000;   // bytes of a kernel's name or of what went wrong
constexpr std::int64_t kProfileCountersMax = 5000;  // Nsight Compute knows some 2,000 on one GPU
constexpr Bytes kDeviceClockFileMax{16u << 20};  // of one process: 256 kernels with 2,048 durations each are half of it
constexpr std::size_t kDeviceClockFilesMax = 64;    // processes of one benchmark that use the GPU
constexpr int kDeviceKernelsMax = 256;              // different kernels and shapes of one benchmark
constexpr int kDeviceKernelNameMax = 4096;          // bytes; Thrust and CUB reach some thousands
constexpr int kDeviceShapeMax = 80;                 // bytes of three numbers
constexpr std::size_t kDeviceDurationsMax = 4096;   // kept of one kernel in one file
constexpr std::size_t kDeviceKernelsShownMax = 32;  // of one comparison: what changed the sum most comes first
constexpr std::size_t kGpuProcessesMax = 4096;      // on one GPU, as NVML lists them
constexpr int kProcessDepthMax = 100;               // parents looked through for a process of ours
constexpr std::int64_t kDeviceNumberMax = 255;      // no host has more GPUs
constexpr std::size_t kFindingsMax = 100;           // of one report of the sanitizer: the first names the fault
constexpr std::size_t kFindingLineMax = 2000;       // bytes: a kernel's name of templates is the longest word there
constexpr Bytes kDemangleMemoryMax{512u << 20};     // a name of 255 bytes can stand for gigabytes
constexpr std::chrono::seconds kDemangleTimeout{10s};
constexpr int kBackReferencesMax = 32;             // in a mangled name: a pair of them can double what comes out
constexpr std::size_t kKernelNameMax = 64u << 10;  // a longer one stays as the compiler wrote it

// The demo
constexpr std::chrono::seconds kDemoStartMax{30s};    // a loaded machine starts a server within a second or two
constexpr std::chrono::seconds kDemoTriggerMax{60s};  // from the push until its run exists
constexpr std::chrono::seconds kDemoRunMax{600s};     // for one run; it takes seconds

// Simulation
constexpr int kSimulationTrialsMax = 1000000;  // a row of a million takes about two minutes

// Forges and others who are told of runs
constexpr std::chrono::seconds kForgeTimeout{10s};             // GitHub itself ends a request after 10 s
constexpr std::chrono::milliseconds kForgePauseFirst{1000ms};  // before the first repetition; doubled each time
constexpr std::chrono::seconds kForgePauseMax{900s};   // after an outage all is told within a quarter of an hour
constexpr std::chrono::seconds kForgeGiveUp{72h};      // outlasts a weekend's outage
constexpr std::chrono::seconds kForgeRefusedFor{6h};   // may yet be fixed: permission, a commit not pushed yet
constexpr int kForgeSettleTimeouts = 3;                // a request that broke off may still be under way for so many
constexpr int kReceiversMax = 32;                      // webhooks and chat rooms; each has a thread of its own
constexpr int kForgeBatch = 20;                        // messages of one target in a round: others get their turn
constexpr int kForgeChangesPerRound = 200;             // changes of runs turned into messages in one transaction
constexpr std::chrono::seconds kOutboxTidyEvery{1h};   // old messages, and those to targets that are no more
constexpr std::chrono::seconds kForgeLimitedFor{60s};  // a limit that names no time: GitHub asks for a minute
constexpr std::chrono::milliseconds kOutboxLookEvery{500ms};  // "pending" is to stand at once
constexpr std::chrono::seconds kForgeTokenSpare{300s};        // an App's token is renewed so long before its hour ends
constexpr std::chrono::seconds kOutboxKept{24h * 30};         // what was sent to whom, for those who ask afterwards
constexpr std::size_t kForgeTextMax = 60000;      // GitHub takes 65,536 characters of a comment or a summary
constexpr std::size_t kForgeRowsMax = 60;         // of a table in them: what moved comes first
constexpr std::size_t kForgeStatusMax = 140;      // GitHub's limit on a status' text, in characters
constexpr std::size_t kForgeAnnotationsMax = 50;  // of one request to GitHub
constexpr int kForgePagesMax = 30;                // of 100 comments or check runs, searched for our own
constexpr std::size_t kTokenFileMax = 4096;       // fine-grained tokens have under 300 bytes
constexpr std::size_t kKeyFileMax = 16384;        // an RSA key of 8192 bits as PEM has 6.4 kB

// Files
constexpr Bytes kManifestMax{256u << 10};
constexpr Bytes kCompareFileMax{256u << 20};
constexpr Bytes kBuildCacheDefault{20ull << 30};         // oldest builds go first
constexpr Bytes kDiskFullBelow{16u << 20};               // what a compiler's output no longer fits into
constexpr Bytes kProgramMax{2ull << 30};                 // of one file that is read for identity; CUTLASS reaches 1 GiB
constexpr Bytes kBuildTreeMax{32ull << 30};              // of one commit; every file is hashed when an entry is used
constexpr Bytes kCompilerCacheMax{5ull << 30};           // a repository: what ccache itself takes by default
constexpr std::chrono::seconds kHookContactMax{2s};      // a commit must not wait for a server that is away
constexpr std::chrono::seconds kHookTimeout{15s};        // of one request of the hook
constexpr std::chrono::seconds kTriggerRetryMax{30s};    // `kernelgate trigger` waits for a server that starts
constexpr std::chrono::seconds kVersionTimeout{10s};     // a tool that does not say its version by then is not there
constexpr std::chrono::seconds kHookStageTimeout{300s};  // to push what a runner cannot fetch from here
constexpr int kHookQueueMax = 1000;                      // triggers kept locally while the server is away

}  // namespace kernelgate::limits
