import type { Config } from '#base/config.ts'
import type { OpenedDatabase } from '#machinery/db/engine.ts'
import { examine } from '#machinery/ops/doctor/examine.ts'
import type { Finding } from '#machinery/ops/doctor/finding.ts'
import type { ScheduledBackups } from '#machinery/ops/scheduled-backups.ts'
import { lookAtVisits } from '#product/administration/access-log/look-at-visits.ts'
import { lookAtStripe } from '#product/selling/payments/look-at-stripe.ts'
import type { AppOptions } from './options.ts'

interface ServerPatient {
  config: Config
  options: AppOptions
  database: Pick<OpenedDatabase, 'db' | 'engine'>
  backups: ScheduledBackups | undefined
}

/** Looks at what goes wrong in real life, from within a server: what "turnout doctor" does beside it. */
export function examineServer({ config, options, database, backups }: ServerPatient): Promise<Finding[]> {
  const { clock, diskSpace, textLookup, machine } = options
  const { db: reader, engine } = database
  return examine({
    ...{ config, clock, reader, engine, isServed: true },
    backups: backups && { ...backups.plan(), list: () => backups.list() },
    more: [
      () => lookAtVisits({ reader, config }),
      () => lookAtStripe({ reader, clock, isServed: true, allowsTest: config.testPayments }),
    ],
    machine: { diskSpace, textLookup, ...machine },
  })
}
