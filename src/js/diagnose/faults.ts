/** The table of faults that can be found: one entry each, by topic in the files beside this one. */
import { draftFault } from './draft_faults.js';
import type { Fault } from './fault.js';
import { frequencyFaults } from './frequency_faults.js';
import { positionFaults } from './position_faults.js';
import { rotationFaults } from './rotation_faults.js';
import { scoreFaults } from './score_faults.js';
import { sideFaults } from './side_faults.js';
import { uninitialised } from './uninitialised_faults.js';
import { widthFaults } from './width_faults.js';

export const faults: readonly Fault[] = [
  uninitialised,
  ...frequencyFaults,
  ...widthFaults,
  ...rotationFaults,
  ...positionFaults,
  ...sideFaults,
  ...scoreFaults,
  draftFault,
];

const byId = new Map(faults.map((fault) => [fault.id, fault]));

export const faultOf = (id: string): Fault => byId.get(id)!;
