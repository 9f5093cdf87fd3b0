import { Problem } from '#base/problem.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Head, Time } from '#machinery/web/components/parts.tsx'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import {
  listRevisions,
  type Revision,
  type SubmittedAbstract,
} from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { AbstractView } from '#product/programme/submissions/abstract-view.tsx'
import type { Content } from '#product/programme/submissions/content.ts'
import type { Formulas } from '#product/programme/submissions/formulas.ts'
import { type Differences, findDifferences, readVersion } from '#product/programme/submissions/versions.ts'
import { VersionLink } from './abstract-history.tsx'
import { addressOf } from './abstract-query.ts'

interface Loaded {
  abstract: SubmittedAbstract
  call: Call
  revision: Revision
  content: Content
  formulas: Formulas
  /** What it changed. It is undefined for the first version. */
  differences: Differences | undefined
}

/** Shows what an abstract said in one of its versions. */
export const abstractVersion = showPage('event', {
  path: '/e/{event}/abstracts/{abstract}/versions/{version}',
  permission: 'abstracts',
  load: async (tx, { event, params }): Promise<Loaded> => {
    const abstract = await getOfEvent(tx, event.id, params.abstract ?? '')
    const revisions = await listRevisions(tx, abstract.id)
    const revision = revisions.find(({ number }) => String(number) === params.version)
    if (revision === undefined) throw new Problem('not_found')
    const read = (number: number) => readVersion(tx, { id: abstract.id, revision: number })
    const version = await read(revision.number)
    const before = revision.number === 1 ? undefined : await read(revision.number - 1)
    const differences = before && findDifferences(before.content, version.content)
    return { ...version, abstract, call: await calls.get(tx, event.id), revision, differences }
  },
  view: (loaded, request) => {
    const { abstract, revision } = loaded
    const title = request.voice.texts.abstracts.versionOf(revision.number, abstract.revision)
    return { title, body: <Version {...loaded} title={title} request={request} /> }
  },
})

function Version({ title, request, ...loaded }: Loaded & { title: string; request: EventRequest }) {
  const { abstract, call, revision, content, formulas } = loaded
  const { voice } = request
  const { texts, format } = voice
  const { number } = revision
  return (
    <>
      <Head
        title={title}
        crumbs={
          <a href={addressOf(request)}>
            <bdi>{abstract.code}</bdi>
          </a>
        }
        about={<Time at={revision.at} format={format} />}
        actions={
          <nav class="row" aria-label={texts.abstracts.versions}>
            {number > 1 && <VersionLink version={number - 1} request={request} />}
            {number < abstract.revision && <VersionLink version={number + 1} request={request} />}
          </nav>
        }
      />
      <div class="stack">
        <Changed {...loaded} request={request} />
        <AbstractView content={content} formulas={formulas} call={call} voice={voice} />
      </div>
    </>
  )
}

/** Says what was changed in the version. */
function Changed({
  differences,
  revision,
  request,
}: Pick<Loaded, 'differences' | 'revision'> & { request: EventRequest }) {
  const { texts, format } = request.voice
  const { abstracts: labels } = texts
  if (differences === undefined) return <p>{labels.versionFirst}</p>
  const nameOf = { ...labels, title: labels.name }
  const names = [
    ...differences.parts.map(part => nameOf[part]),
    ...differences.sections.map(heading => heading || labels.text),
  ]
  if (names.length === 0) return null
  return (
    <p>
      <bdi>{labels.versionDiffers(revision.number - 1, format.list(names))}</bdi>
    </p>
  )
}
