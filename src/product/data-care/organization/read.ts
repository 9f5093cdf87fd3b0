import { isUtf8 } from 'node:buffer'
import * as v from 'valibot'
import { type FaultAt, faultsOf } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { ENOUGH_FAULTS } from './array-of.ts'
import { findContradictions } from './check.ts'
import { findNameFaults } from './check-names.ts'
import { findOrderFaults } from './check-orders.ts'
import { findProgrammeFaults } from './check-programme.ts'
import { findSeriesFaults } from './check-series.ts'
import { findTimetableFaults } from './check-timetable.ts'
import { Refusals } from './refusals.ts'
import { type Organization, organizationSchema } from './schema.ts'

/**
 * Reads an organization file from its bytes, with or without a byte-order mark.
 *
 * @throws Problem malformed_json; those of `validateOrganization`
 */
export function readOrganization(bytes: Uint8Array): Organization {
  return validateOrganization(parseOrganization(bytes))
}

/** @throws Problem malformed_json */
export function parseOrganization(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new Problem('malformed_json', { message: 'The file is not text in UTF-8.' })
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new Problem('malformed_json', {
      message: `The file is not valid JSON: ${(error as Error).message}`,
    })
  }
}

/**
 * Checks a file against its schema, and its well-formed parts for contradictions. It reports all faults at once.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export function validateOrganization(input: unknown): Organization {
  const { file, refusals } = checkForm(input)
  refusals.throwAny()
  return file as Organization
}

/** Holds a file, well-formed or not, and the faults that it has on its own. */
export interface Form {
  file: unknown
  malformed: readonly FaultAt[]
  /** At most `ENOUGH_FAULTS` of them. */
  contradictions: readonly FaultAt[]
  /** All of the faults. */
  refusals: Refusals
}

const checks = [
  ...[findContradictions, findNameFaults, findOrderFaults, findProgrammeFaults],
  ...[findTimetableFaults, findSeriesFaults],
]

export function checkForm(input: unknown): Form {
  // It takes only the first fault of each value, so that a text that is too long is not checked further.
  const { output: file, issues } = v.safeParse(organizationSchema, input, { abortPipeEarly: true })
  const malformed = issues === undefined ? [] : faultsOf(issues)
  const contradictions: FaultAt[] = []
  const refusals = new Refusals(input)
  for (const fault of malformed) refusals.addFault(fault)
  for (const find of checks) {
    for (const fault of find(file, malformed)) {
      refusals.addFault(fault)
      if (contradictions.length < ENOUGH_FAULTS) contradictions.push(fault)
    }
  }
  return {
    file: malformed.length === 0 ? asWritten(file as Organization, input) : file,
    malformed,
    contradictions,
    refusals,
  }
}

/**
 * Puts the fields of the file and of its events in the order in which they were written, because faults are reported in that
 * order.
 */
function asWritten(file: Organization, input: unknown): Organization {
  const { events } = input as Partial<Organization>
  return inOrderOf(input, { ...file, events: file.events.map((event, at) => inOrderOf(events?.[at], event)) })
}

function inOrderOf<Made extends object>(given: unknown, made: Made): Made {
  const order = Object.fromEntries(Object.keys(given as object).map(key => [key, null]))
  return Object.assign(order, made) as Made
}
