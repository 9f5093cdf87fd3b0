import { Problem } from '#base/problem.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { answerStrangeFile } from '#machinery/http/strange-file.ts'
import { readerFor } from '#machinery/http/streamed.ts'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import * as files from '#product/programme/files/rules.ts'
import { type AbstractFile, PIECE } from '#product/programme/files/schemas.ts'
import { findOfAbstract } from '#product/programme/submissions/files.ts'

/** Leads to the file beside an abstract. */
export function FileLink({ file, request }: { file: AbstractFile | undefined; request: EventRequest }) {
  const { event, params, voice } = request
  if (file === undefined) return null
  return (
    <p>
      <a class="button" href={paths.abstractFile(event.id, params.abstract ?? '')} download>
        {voice.texts.abstracts.download(voice.format.bytes(file.size))}
      </a>
    </p>
  )
}

/** Answers with the file beside an abstract, under the abstract's code: the name that its author chose is no address for others. */
export const abstractFile: PageAt<'event'> = {
  path: '/e/{event}/abstracts/{abstract}/file',
  level: 'event',
  permission: 'abstracts',
  isFile: true,
  get: async ({ db, log }, context, { event, params, account }) => {
    const { abstract, file } = await db.read(account.id, async tx => {
      const found = await getOfEvent(tx, event.id, params.abstract ?? '')
      return { abstract: found, file: await findOfAbstract(tx, found) }
    })
    if (file === undefined) throw new Problem('not_found')
    context.state.holding.keep('answer', PIECE)
    const pieces = files.read(readerFor(db, context.res), account.id, file)
    const fileName = `${abstract.code}.pdf`
    answerStrangeFile(context, { type: 'application/pdf', fileName, size: file.size, pieces }, log)
  },
}
