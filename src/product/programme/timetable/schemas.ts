import * as v from 'valibot'
import * as fields from '#base/fields.ts'

/** A chair of a session as the row of the session has them. */
export const chairSchema = v.strictObject({ name: v.string(), email: v.nullable(fields.email) })
export type Chair = v.InferOutput<typeof chairSchema>
