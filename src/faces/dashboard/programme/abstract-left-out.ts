import { download } from '#faces/dashboard/frame/download.ts'
import { writeLeftOut } from '#product/administration/sheets/left-out.ts'
import { findFaults } from '#product/programme/abstract-imports/judge.ts'
import * as imports from '#product/programme/abstract-imports/rules.ts'
import type { ImportLine } from '#product/programme/abstract-imports/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { describeLine } from './abstract-import-result.tsx'

/** Sends the lines that are wrong as a file, each with the reasons, to correct and upload again. */
export const abstractsLeftOut = download('event', {
  path: '/e/{event}/abstracts/import/{import}/left-out',
  permission: 'abstracts',
  open: async (reader, { account, event, params, voice }) => {
    const { job, input, call } = await reader.read(account.id, async tx => ({
      ...(await imports.get(tx, event.id, params.import ?? '')),
      call: await calls.get(tx, event.id),
    }))
    const chunks = writeLeftOut<ImportLine>({
      ...{ headers: input.headers, fates: ['wrong'], language: voice.format.language },
      read: page => reader.read(account.id, tx => imports.listLines(tx, job.id, page)),
      tell: line => describeLine(line, findFaults({ call, input }, line.cells), voice.texts),
    })
    return { type: 'text/csv; charset=utf-8', fileName: `${job.id}.csv`, chunks }
  },
})
