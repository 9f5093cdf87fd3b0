import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { Problem } from '../problem.ts'

/** A flag with its environment twin: `--base-url` is TURNOUT_BASE_URL. */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.env(`TURNOUT_${option.name().replaceAll('-', '_').toUpperCase()}`)
}

export function required(flags: string, description: string): Option {
  return flag(flags, description).makeOptionMandatory()
}

export const dataFlag = () => flag('--data <dir>', 'the data folder').default('./data')

export const jsonFlag = () => flag('--json', 'print one JSON document instead')

export const insecureWebhooksFlag = () =>
  flag('--allow-insecure-webhooks', 'let webhooks go to http and private addresses too')

export interface CommonFlags {
  data: string
  json?: boolean
}

/**
 * Checks the value of a flag against the schema of the field that it is.
 *
 * @throws Problem invalid_parameter, with the flag in the message
 */
export function readFlag<Output>(
  name: string,
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): Output {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  throw new Problem('invalid_parameter', { message: `${name} ${result.issues[0].message}.` })
}

/** A whole number, as a flag has it. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.string(message),
    v.regex(/^\d{1,15}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/**
 * Reads the words of switches in the environment: the parser takes the mere presence of TURNOUT_JSON=0 for a yes.
 *
 * @throws Problem invalid_parameter
 */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName()
    if (!option.isBoolean() || command.getOptionValueSource(name) !== 'env') continue
    const word = process.env[option.envVar as string] ?? ''
    if (!/^(|0|1|false|true|no|yes|off|on)$/i.test(word)) {
      throw new Problem('invalid_parameter', { message: `${option.envVar} must be 1 or 0.` })
    }
    command.setOptionValueWithSource(name, /^(1|true|yes|on)$/i.test(word), 'env')
  }
}
