BEGIN TRANSACTION;
CREATE TABLE acknowledged_benchmarks (
  acknowledgement_id INTEGER NOT NULL REFERENCES acknowledgements (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  ratio REAL NOT NULL,
  head_median_ns REAL NOT NULL,
  PRIMARY KEY (acknowledgement_id, benchmark_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE acknowledgements (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  match TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  accepted_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  revoked_by TEXT NOT NULL DEFAULT '',
  revoked_reason TEXT NOT NULL DEFAULT ''
, pull_request INTEGER, merged_at INTEGER) STRICT;
CREATE TABLE attempt_facts (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  hypothesis TEXT NOT NULL,
  patch_id TEXT NOT NULL,
  suite TEXT NOT NULL,
  point TEXT NOT NULL,
  is_reference INTEGER NOT NULL
) STRICT;
CREATE TABLE attempt_failures (
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (attempt_id, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE TABLE attempt_runs (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  price_per_hour REAL
) STRICT;
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  branch TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  subject TEXT NOT NULL,
  suite TEXT NOT NULL,
  point TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  lesson TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  best_benchmark_id INTEGER REFERENCES benchmarks (id),
  best_ratio REAL,
  best_low REAL,
  best_high REAL,
  worst_benchmark_id INTEGER REFERENCES benchmarks (id),
  worst_ratio REAL,
  worst_low REAL,
  worst_high REAL,
  timed INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  regressed INTEGER NOT NULL,
  error_factor REAL,
  patch_id TEXT NOT NULL,
  code_sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  tried_at INTEGER,
  UNIQUE (repository_id, key)
) STRICT;
CREATE TABLE "audit_log" (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE TABLE baseline_benchmarks (
  baseline_id INTEGER NOT NULL REFERENCES baselines (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  median_ns REAL NOT NULL,
  process_count INTEGER NOT NULL,
  PRIMARY KEY (baseline_id, benchmark_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE baselines (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  name TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  promoted_at INTEGER NOT NULL,
  replaced_at INTEGER
, anchor INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE benchmarks (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  suite TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (repository_id, suite, name)
) STRICT;
INSERT INTO "benchmarks" VALUES(1,1,'s','b');
CREATE TABLE bisection_steps (
  bisection_id INTEGER NOT NULL REFERENCES bisections (id),
  number INTEGER NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  head INTEGER NOT NULL,
  base INTEGER NOT NULL,
  confirming INTEGER NOT NULL,
  reading TEXT NOT NULL DEFAULT '',
  mean REAL NOT NULL DEFAULT 0,
  half_width REAL NOT NULL DEFAULT 0,
  slower INTEGER NOT NULL DEFAULT 0,
  settled INTEGER NOT NULL DEFAULT 0,
  why TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (bisection_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE bisections (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  suite TEXT NOT NULL,
  benchmark TEXT NOT NULL,
  aim TEXT NOT NULL,
  commits TEXT NOT NULL,
  actor TEXT NOT NULL,
  state TEXT NOT NULL,
  ending TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL DEFAULT '',
  low INTEGER NOT NULL DEFAULT 0,
  high INTEGER NOT NULL,
  effect REAL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE TABLE calibration_benchmarks (
  calibration_id INTEGER NOT NULL REFERENCES calibrations (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  injected REAL NOT NULL,
  pairs INTEGER NOT NULL,
  ratio REAL NOT NULL,
  ratio_low REAL NOT NULL,
  ratio_high REAL NOT NULL,
  sum_squares REAL NOT NULL,
  degrees INTEGER NOT NULL,
  detectable REAL NOT NULL,
  tolerate REAL NOT NULL,
  catch_limit REAL NOT NULL,
  trials INTEGER NOT NULL,
  regressed INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  undecided INTEGER NOT NULL,
  suspected INTEGER NOT NULL,
  PRIMARY KEY (calibration_id, benchmark_id, injected)
) STRICT, WITHOUT ROWID;
CREATE TABLE calibrations (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  epoch_id INTEGER NOT NULL REFERENCES epochs (id),
  commit_hash TEXT NOT NULL,
  rule_version INTEGER NOT NULL,
  program TEXT NOT NULL,
  calibrated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE checks (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  position INTEGER NOT NULL,
  suite TEXT NOT NULL,
  side TEXT NOT NULL,
  name TEXT NOT NULL,
  shape TEXT NOT NULL,
  passed INTEGER NOT NULL,
  bound REAL,
  max_abs_err REAL,
  rel_err REAL,
  first_bad INTEGER NOT NULL,
  seed TEXT NOT NULL,
  error_class TEXT NOT NULL,
  error_value REAL,
  fingerprint TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT;
CREATE TABLE claims (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  generation INTEGER NOT NULL,
  variances TEXT NOT NULL, sessions TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (run_id, generation)
) STRICT, WITHOUT ROWID;
CREATE TABLE commit_parents (
  commit_id INTEGER NOT NULL REFERENCES commits (id),
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (commit_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE commits (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  hash TEXT NOT NULL,
  tree TEXT NOT NULL DEFAULT '',
  subject TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL DEFAULT '',
  UNIQUE (repository_id, hash)
) STRICT;
INSERT INTO "commits" VALUES(1,1,'1111111111111111111111111111111111111111','2222222222222222222222222222222222222222','Naive','A <a@b>');
INSERT INTO "commits" VALUES(2,1,'3333333333333333333333333333333333333333','4444444444444444444444444444444444444444','Faster','A <a@b>');
CREATE TABLE "comparisons" (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  position INTEGER NOT NULL,
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  epoch_id INTEGER REFERENCES epochs (id),
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  round INTEGER NOT NULL,
  pairs INTEGER NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  base_median_ns REAL,
  head_median_ns REAL,
  sum_squares REAL NOT NULL,
  degrees INTEGER NOT NULL,
  against TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT;
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY,
  delivery TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  action TEXT NOT NULL,
  repository TEXT NOT NULL,
  sender TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER NOT NULL,
  detail TEXT NOT NULL,
  run_id INTEGER REFERENCES runs (id),
  body_bytes INTEGER NOT NULL,
  body_zstd BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  seen INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE epochs (
  id INTEGER PRIMARY KEY,
  testbed_id INTEGER NOT NULL REFERENCES testbeds (id),
  facts_sha256 TEXT NOT NULL,
  gpu_model TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  toolkit TEXT NOT NULL,
  power_limit TEXT NOT NULL,
  mig_mode TEXT NOT NULL,
  host_cpu TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
INSERT INTO "epochs" VALUES(1,1,'f','','','','','','','cpu',1700000000000);
CREATE TABLE history (
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  run_id INTEGER NOT NULL REFERENCES runs (id),
  epoch_id INTEGER REFERENCES epochs (id),
  finished_at INTEGER NOT NULL,
  median_ns REAL NOT NULL,
  spread_ns REAL NOT NULL,
  process_count INTEGER NOT NULL,
  sample_count INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  PRIMARY KEY (benchmark_id, run_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE installation_repositories (
  full_name TEXT PRIMARY KEY,
  installation INTEGER NOT NULL,
  suspended INTEGER NOT NULL DEFAULT 0,
  noted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE jobs (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  requires_gpu INTEGER NOT NULL DEFAULT 0,
  testbed TEXT NOT NULL DEFAULT '',
  not_before INTEGER NOT NULL DEFAULT 0,
  lost_leases INTEGER NOT NULL DEFAULT 0,
  lease_sha256 TEXT,
  runner TEXT NOT NULL DEFAULT '',
  claimed_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE TABLE logins (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  token_id INTEGER NOT NULL REFERENCES tokens (id),
  began_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE logs (
  run_id INTEGER NOT NULL REFERENCES runs (id),
  name TEXT NOT NULL,
  original_bytes INTEGER NOT NULL,
  kept_bytes INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  stored_at INTEGER NOT NULL,
  PRIMARY KEY (run_id, name)
) STRICT;
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;
INSERT INTO "migrations" VALUES(1,'0001_create_store.sql','90ad4f1a7445217beba787e5cc2362e50b6bc90f487ed57d5902287df2ce43a4',1700000000000);
INSERT INTO "migrations" VALUES(2,'0002_create_accounts.sql','23b715f1e65d4595f7ec9a117264626585dabd9dead69e8f21e6b2e8fd459777',1700000000000);
INSERT INTO "migrations" VALUES(3,'0003_create_history.sql','d67322780247f06374523391053b9a1081c4bc720476a2137924c4ea98316b43',1700000000000);
INSERT INTO "migrations" VALUES(4,'0004_keep_claims.sql','e66facf2d7149f4bc43c6692d03e59e57a3af97dede66c3f3db882f37947fdb3',1700000000000);
INSERT INTO "migrations" VALUES(5,'0005_keep_bundles.sql','37c1b84ee0e4ebdf54462b4d203a002788901741512eff249227613598da8f89',1700000000000);
INSERT INTO "migrations" VALUES(6,'0006_keep_sessions.sql','8019d6ea999911b7b98e37c3544d2cacca979086ced1e20f7452c121723d1d0a',1700000000000);
INSERT INTO "migrations" VALUES(7,'0007_keep_pull_requests.sql','ea8b0b8d45da106a036a45f130be64e62d8347c299ae989a3dcd2d034b1bf335',1700000000000);
INSERT INTO "migrations" VALUES(8,'0008_create_bisections.sql','00dbd0c29cf61642c846f4789e7d6e6ce065d8ce83507853de2a2cbbff640d9a',1700000000000);
INSERT INTO "migrations" VALUES(9,'0009_create_outbox.sql','cd729bf863bd1f675f6c8c25194203be442b2801fd55a9e942df82bb46fcd6b5',1700000000000);
INSERT INTO "migrations" VALUES(10,'0010_create_ledger.sql','b777ad7b1c8e4c78c3be7fcac1a086daf29e1ce25cfcefd9c6887fd67a91facc',1700000000000);
INSERT INTO "migrations" VALUES(11,'0011_keep_logins.sql','0c49eb579dfbd82a76cdd4fbb52862237113e0e33912a3562013aaf58737bc93',1700000000000);
INSERT INTO "migrations" VALUES(12,'0012_create_profiles.sql','7f685b15d75755415c65d897e9f20bc5dea27936b78b8777c0afd6f08afff2e8',1700000000000);
INSERT INTO "migrations" VALUES(13,'0013_keep_configurations.sql','e1ea0836479dd4fbfee80827e3f9d311d89b0415d773e4cf34709925a1382b75',1700000000000);
INSERT INTO "migrations" VALUES(14,'0014_store_decisions_once.sql','3f0ef3588b3df80e3f9a467538ed2d2d41b589bf132838cee1109a7dd6a2e44b',1700000000000);
INSERT INTO "migrations" VALUES(15,'0015_name_actors.sql','e7131daf49762625da32b38e90e6fba5ce9e485ace88bb8e23b6318760c50cf0',1700000000000);
INSERT INTO "migrations" VALUES(16,'0016_take_sessions_out_of_policies.sql','fa66ef5f5ff7db8789c937d793d82099424001e17cec1208dffed28dd14c0898',1700000000000);
INSERT INTO "migrations" VALUES(17,'0017_bind_acceptances.sql','ee5c17c13299f0de6d4bff5572bfc5cd5da225af566161a39062cf22f5c81084',1700000000000);
INSERT INTO "migrations" VALUES(18,'0018_keep_webhook_secrets.sql','7738ecaa7ae5b5d4d81c417555c26b44a5ed49299d21861b8591a770e71e43ed',1700000000000);
INSERT INTO "migrations" VALUES(19,'0019_find_runs_by_base.sql','fff8be04e334e209923070c1fe99cc0678c6a3efc2cc804a315ea50840a0419b',1700000000000);
INSERT INTO "migrations" VALUES(20,'0020_add_largest_ratio.sql','724548a7797f8c8aefe79b80e20b4f47141a4d2a0d17e659ada05a1dae882e99',1700000000000);
INSERT INTO "migrations" VALUES(21,'0021_keep_device_times.sql','190f6ee032b001e979e574cde63dfc9d7c8600631fced3ae9916ecf88b5c148f',1700000000000);
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  target TEXT NOT NULL,
  key TEXT NOT NULL,
  phase TEXT NOT NULL,
  status TEXT NOT NULL,
  delivery TEXT NOT NULL UNIQUE,
  remote_id TEXT NOT NULL DEFAULT '',
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  unanswered_at INTEGER,
  error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE TABLE processes (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  process_id TEXT NOT NULL UNIQUE,
  generation INTEGER NOT NULL,
  superseded INTEGER NOT NULL DEFAULT 0,
  suite TEXT NOT NULL,
  side TEXT NOT NULL,
  round INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  position INTEGER NOT NULL,
  disturbed INTEGER NOT NULL,
  disturbance TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  wall_s REAL NOT NULL,
  gpu_s REAL NOT NULL,
  ending TEXT NOT NULL,
  exit_code INTEGER NOT NULL,
  signal INTEGER NOT NULL,
  text TEXT NOT NULL,
  device_state TEXT NOT NULL,
  stored_at INTEGER NOT NULL
, device_times TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "processes" VALUES(1,1,'p',1,0,'s','head',0,0,0,0,0,'',1700000000001,1.0,0.5,'ok',0,0,'','{}',1700000000001,'');
CREATE TABLE profiles (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  actor TEXT NOT NULL,
  state TEXT NOT NULL,
  runner TEXT NOT NULL DEFAULT '',
  lease_sha256 TEXT,
  expires_at INTEGER,
  claims INTEGER NOT NULL DEFAULT 0,
  text TEXT NOT NULL DEFAULT '',
  base TEXT NOT NULL DEFAULT '',
  head TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE TABLE quarantines (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  epoch_id INTEGER REFERENCES epochs (id),
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  released_at INTEGER,
  released_by TEXT NOT NULL DEFAULT '',
  released_reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  default_branch TEXT NOT NULL,
  manifest TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
, full_name TEXT NOT NULL DEFAULT '', webhook_secret TEXT NOT NULL DEFAULT '', webhook_secret_before TEXT NOT NULL DEFAULT '', webhook_secret_at INTEGER) STRICT;
INSERT INTO "repositories" VALUES(1,'kernels','file:///srv/kernels.git','main','',1700000000000,'','','',NULL);
CREATE TABLE run_changes (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id)
) STRICT;
CREATE TABLE run_documents (
  run_id INTEGER PRIMARY KEY REFERENCES runs (id),
  evidence TEXT NOT NULL,
  decision TEXT NOT NULL
, manifest TEXT NOT NULL DEFAULT '', program TEXT NOT NULL DEFAULT '', rule_version INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  head_id INTEGER NOT NULL REFERENCES commits (id),
  base_id INTEGER REFERENCES commits (id),
  branch TEXT NOT NULL,
  source TEXT NOT NULL,
  base_kind TEXT NOT NULL,
  base_argument TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  force INTEGER NOT NULL DEFAULT 0,
  seed INTEGER NOT NULL,
  retry_of INTEGER REFERENCES runs (id),
  state TEXT NOT NULL,
  progress TEXT NOT NULL DEFAULT '',
  runner TEXT NOT NULL DEFAULT '',
  epoch_id INTEGER REFERENCES epochs (id),
  lease_sha256 TEXT NOT NULL DEFAULT '',
  generation INTEGER NOT NULL DEFAULT 0,
  claims INTEGER NOT NULL DEFAULT 0,
  manifest_sha256 TEXT NOT NULL DEFAULT '',
  policy TEXT NOT NULL DEFAULT '',
  rule_version INTEGER NOT NULL DEFAULT 0,
  judged_key TEXT NOT NULL DEFAULT '',
  conclusion TEXT,
  reason TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  notices TEXT NOT NULL DEFAULT '[]',
  exit_code INTEGER,
  reused_from INTEGER REFERENCES runs (id),
  gpu_s_held REAL NOT NULL DEFAULT 0,
  gpu_s_used REAL NOT NULL DEFAULT 0,
  wall_s REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER, pull_request INTEGER, target_branch TEXT NOT NULL DEFAULT '', head_repository TEXT NOT NULL DEFAULT '', sender TEXT NOT NULL DEFAULT '', pushed_at INTEGER, superseded_by INTEGER REFERENCES runs (id), thinned_at INTEGER, sandbox TEXT NOT NULL DEFAULT '', trust TEXT NOT NULL DEFAULT 'trusted', largest_ratio REAL,
  UNIQUE (repository_id, idempotency_key)
) STRICT;
INSERT INTO "runs" VALUES(1,1,2,1,'main','cli','first_parent','','k',0,7,NULL,'done','','',1,'',1,0,'','',0,'','passed','','','[]',0,NULL,0.0,0.0,0.0,1700000000001,NULL,1700000000002,NULL,'','','',NULL,NULL,NULL,'','trusted',NULL);
CREATE TABLE series (
  process_id INTEGER NOT NULL REFERENCES processes (id),
  position INTEGER NOT NULL,
  benchmark_id INTEGER NOT NULL REFERENCES benchmarks (id),
  sample_count INTEGER NOT NULL,
  median_ns REAL,
  samples BLOB NOT NULL,
  error TEXT NOT NULL DEFAULT '',
  counters TEXT NOT NULL DEFAULT '{}', configuration TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (process_id, position)
) STRICT;
INSERT INTO "series" VALUES(1,0,1,3,2.5,X'000000000000F83F00000000000004400000000000000C40','','{}','');
CREATE TABLE testbeds (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "testbeds" VALUES(1,'bed');
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX commits_by_tree ON commits (repository_id, tree) WHERE tree <> '';
CREATE INDEX epochs_by_testbed ON epochs (testbed_id, id);
CREATE INDEX runs_by_head ON runs (head_id, id);
CREATE INDEX runs_by_repository ON runs (repository_id, id);
CREATE INDEX runs_by_state ON runs (state, conclusion);
CREATE INDEX runs_by_epoch ON runs (epoch_id, repository_id) WHERE epoch_id IS NOT NULL;
CREATE INDEX runs_by_judged_key ON runs (judged_key) WHERE judged_key <> '';
CREATE INDEX jobs_by_expiry ON jobs (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX processes_by_run ON processes (run_id, id);
CREATE INDEX checks_by_fingerprint ON checks (fingerprint, run_id) WHERE fingerprint <> '';
CREATE INDEX baselines_by_repository ON baselines (repository_id, id);
CREATE UNIQUE INDEX baselines_present ON baselines (repository_id, name, epoch_id) WHERE replaced_at IS NULL;
CREATE INDEX calibrations_by_epoch ON calibrations (repository_id, epoch_id, id);
CREATE INDEX calibration_benchmarks_by_benchmark ON calibration_benchmarks (benchmark_id, calibration_id);
CREATE INDEX acknowledgements_by_repository ON acknowledgements (repository_id, id);
CREATE INDEX runs_by_pull_request ON runs (repository_id, pull_request, id) WHERE pull_request IS NOT NULL;
CREATE INDEX deliveries_by_time ON deliveries (last_seen_at);
CREATE INDEX installation_repositories_by_installation ON installation_repositories (installation);
CREATE INDEX bisections_by_repository ON bisections (repository_id, id);
CREATE INDEX bisection_steps_by_run ON bisection_steps (run_id);
CREATE TRIGGER runs_added AFTER INSERT ON runs WHEN NEW.state IN ('held', 'queued') BEGIN
  INSERT INTO run_changes (run_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER runs_changed AFTER UPDATE OF state ON runs
WHEN NEW.state <> OLD.state AND (NEW.lease_sha256 <> '' OR OLD.state IN ('held', 'queued')) BEGIN
  INSERT INTO run_changes (run_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE INDEX outbox_by_status ON outbox (status, id);
CREATE INDEX attempts_by_branch ON attempts (repository_id, branch, id);
CREATE INDEX attempts_by_patch ON attempts (patch_id, id) WHERE patch_id <> '';
CREATE INDEX attempts_by_code ON attempts (code_sha256, id) WHERE code_sha256 <> '';
CREATE INDEX attempt_runs_by_attempt ON attempt_runs (attempt_id, run_id);
CREATE INDEX attempt_failures_by_fingerprint ON attempt_failures (fingerprint, attempt_id);
CREATE INDEX logins_by_token ON logins (token_id, id);
CREATE INDEX quarantines_by_repository ON quarantines (repository_id, id);
CREATE UNIQUE INDEX quarantines_in_force ON quarantines (benchmark_id, coalesce(epoch_id, 0))
  WHERE released_at IS NULL;
CREATE INDEX profiles_by_run ON profiles (run_id, id);
CREATE INDEX profiles_unfinished ON profiles (id) WHERE finished_at IS NULL;
CREATE INDEX comparisons_by_benchmark ON comparisons (benchmark_id, epoch_id, run_id) WHERE degrees > 0;
CREATE INDEX outbox_by_key ON outbox (key, id);
CREATE INDEX runs_by_base ON runs (base_id, id) WHERE base_id IS NOT NULL;
COMMIT;
PRAGMA user_version = 21;
PRAGMA application_id = 1801938018;
