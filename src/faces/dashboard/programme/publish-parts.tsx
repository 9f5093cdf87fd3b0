import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { timeField } from '#machinery/web/forms/field.ts'
import type { Publishing } from '#product/programme/publishing/publish.ts'
import * as versions from '#product/programme/versions/rules.ts'

interface Props extends Pick<Publishing, 'state' | 'newest'> {
  address: string | undefined
  files: number
  namesakes: number
  request: EventRequest
}

/** Shows what is public, from when texts are, and what chairs can take along. */
export function Kept(props: Props) {
  const { state, newest, address, request } = props
  const { event, voice } = request
  const { texts, format } = voice
  const { publishing } = texts
  const isPublic = state.published !== null && newest !== undefined
  return (
    <>
      <section class="card stack" aria-labelledby="public">
        <h2 id="public">
          {isPublic
            ? publishing.isPublic(newest.number, format.dateTime(newest.created_at))
            : publishing.isNotPublic}
        </h2>
        {isPublic && (
          <p class="row">
            {address !== undefined && <a href={address}>{publishing.see}</a>}
            <a class="button plain" href={paths.programme(event.id, 'unpublish')}>
              {publishing.unpublish}
            </a>
          </p>
        )}
      </section>
      <section class="card stack" aria-labelledby="texts">
        <h2 id="texts">{publishing.texts}</h2>
        <p>
          {state.texts_from === null
            ? publishing.textsNow
            : publishing.textsAt(format.dateTime(state.texts_from))}{' '}
          <a href={paths.programme(event.id, 'texts')}>{publishing.textsChange}</a>
        </p>
      </section>
      <Downloads {...props} />
    </>
  )
}

function Downloads({ files, namesakes, request: { event, voice } }: Props) {
  const { publishing, namesakes: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="downloads">
      <h2 id="downloads">{publishing.downloads}</h2>
      <p class="quiet">{publishing.downloadsAbout}</p>
      <p class="row">
        <ButtonLink href={paths.programme(event.id, 'book.html')}>{publishing.book}</ButtonLink>
        <ButtonLink href={paths.programme(event.id, 'programme.csv')}>{publishing.csv}</ButtonLink>
        {files > 0 && (
          <ButtonLink href={paths.programme(event.id, 'files.zip')}>{publishing.zip(files)}</ButtonLink>
        )}
      </p>
      {namesakes > 0 && (
        <p>
          <a href={paths.programme(event.id, 'people')}>{texts.link(namesakes)}</a>
        </p>
      )}
    </section>
  )
}

/** Sets from when the texts of abstracts are public. */
export const programmeTexts = formPage('event', {
  path: '/e/{event}/programme/texts',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: (tx, { event }) => versions.getState(tx, event.id),
  fields: () => ({
    texts_from: timeField({
      label: texts => texts.publishing.textsFrom,
      help: texts => texts.publishing.textsFromHelp,
    }),
  }),
  current: ({ texts_from }) => ({ texts_from }),
  parts: (_, { event, voice }) => {
    const { publishing } = voice.texts
    const leave = paths.programme(event.id, 'publish')
    return { title: publishing.textsTitle, crumbs: publishing.title, submit: publishing.textsSave, leave }
  },
  act: (tx, { event }, { values }) => versions.setTextsFrom(tx, event.id, values.texts_from),
  entry: ({ event }) => ({ action: 'programme.texts_from', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({
    path: paths.programme(event.id, 'publish'),
    flash: flash('programmeTextsSaved', {}),
  }),
})
