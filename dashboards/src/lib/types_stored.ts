// SPDX-License-Identifier: Apache-2.0
// The same of what outlives a run: baselines, accepted regressions, epochs, calibrations.
export type {
  AcknowledgementRecord as Acknowledgement,
  Baseline,
  CalibratedFigures as CalibratedBenchmark,
  Calibration,
  Epoch,
  WholeBaseline,
} from './wire';
