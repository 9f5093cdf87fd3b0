import { goTo } from '#faces/dashboard/frame/destination.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { toSetting, withWayBack } from '#faces/dashboard/frame/way-back.ts'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { FittingPicture } from '#machinery/web/components/fitting-picture.tsx'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { areaField, optionalTextField } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { candidatesOf, type SizedPicture } from '#product/catalog/events/picture-sizes.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import { pageFields } from '#product/catalog/events/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { PrivateNotice, type PrivateWay, readPrivateWay } from './code-link.tsx'
import { whereFields } from './event-form.tsx'
import { editOf, type LoadedEvent, loadEvent, OF_SETTINGS, settingsParts } from './event-settings.tsx'
import { onlyThis, saveForFields, saveForRows } from './later-dates.tsx'

const MAX_DESCRIPTION = 20_000

const fields = {
  description: areaField(MAX_DESCRIPTION, 12, {
    label: texts => texts.events.description,
    help: texts => texts.events.descriptionHelp,
  }),
  ...whereFields,
  address: optionalTextField(pageFields.address.wrapped, {
    label: texts => texts.eventPage.address,
    help: texts => texts.eventPage.addressHelp,
    control: { kind: 'area', rows: 3 },
  }),
  online_url: optionalTextField(pageFields.online_url.wrapped, {
    label: texts => texts.eventPage.onlineUrl,
    help: texts => texts.eventPage.onlineUrlHelp,
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  }),
  contact_email: optionalTextField(pageFields.contact_email.wrapped, {
    label: texts => texts.eventPage.contact,
    help: texts => texts.eventPage.contactHelp,
    control: { kind: 'input', type: 'email' },
  }),
}

interface Loaded extends LoadedEvent {
  /** The name of the account in addresses. */
  slug: string | null
  picture: SizedPicture | undefined
  way: PrivateWay | undefined
  isUnnotified: boolean
}

async function load(tx: ReadTx, request: EventRequest, services: Services): Promise<Loaded> {
  return {
    ...(await loadEvent(tx, request)),
    isUnnotified: await isUnnotified(tx, request),
    slug: (await accounts.getDetails(tx)).slug,
    picture: await pictures.find(tx, request.event.id),
    way: await readPrivateWay(tx, request, services),
  }
}

/** Edits what the public page of an event shows. */
export const editEventPage = formPage('event', {
  ...editOf('page'),
  path: '/e/{event}/settings/page',
  load,
  fields: ({ later }) => ({ ...fields, ...saveForFields(later) }),
  current: ({ event }) => ({ ...event, ...onlyThis }),
  parts: (loaded, request, state) => {
    const { event, voice } = request
    const { events: labels, eventPage } = voice.texts
    const { slug } = loaded
    return {
      ...settingsParts('page', request, state),
      actions: slug !== null && (
        <ButtonLink href={paths.publicPage(slug, loaded.event.slug)}>{eventPage.see}</ButtonLink>
      ),
      first: <AboveForm loaded={loaded} request={request} />,
      other: {
        action: `${withWayBack(paths.previewEventPage(event.id), request)}#preview`,
        text: labels.preview,
      },
      rows: [
        <Description key="description" state={state} texts={voice.texts} />,
        { legend: labels.where, names: ['venue', 'city'], side: true },
        ['address', 'online_url', 'contact_email'],
        ...saveForRows(loaded.later),
      ],
    }
  },
})

/** Shows the form as it is typed, with the description as people will see it. It saves nothing. */
export const previewEventPage: PageAt<'event'> = {
  path: '/e/{event}/settings/page/preview',
  level: 'event',
  permission: OF_SETTINGS.permission,
  get: async (services, context, request) =>
    goTo(services, context, { path: withWayBack(paths.eventSettings(request.event.id, 'page'), request) }),
  post: async (services, context, request) =>
    editEventPage.restore?.(services, context, request, context.state.body),
  ...(editEventPage.restore && { restore: editEventPage.restore }),
}

/** Shows the field, and beside it what people will see as soon as there is something. */
function Description({ state, texts }: { state: FormState; texts: Texts }) {
  const written = state.typed.description?.[0] ?? ''
  return (
    <div class="beside">
      <FieldRows state={state} texts={texts} names={['description']} />
      {written.trim() !== '' && (
        <section class="card" aria-labelledby="preview">
          <h2 id="preview">{texts.events.descriptionPreview}</h2>
          <Markdown text={written.slice(0, MAX_DESCRIPTION)} />
        </section>
      )}
    </div>
  )
}

function AboveForm({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { account, event, voice } = request
  const { eventPage: labels } = voice.texts
  const toName = toSetting(paths.accountSettings(account.id), 'slug', paths.eventSettings(event.id, 'page'))
  return (
    <>
      <UnnotifiedNote isUnnotified={loaded.isUnnotified} request={request} />
      {loaded.slug === null && (
        <section class="card row">
          <p>{labels.noSlug}</p>
          {request.member.event_ids === null && <ButtonLink href={toName}>{labels.toSettings}</ButtonLink>}
        </section>
      )}
      {loaded.way !== undefined && <PrivateNotice way={loaded.way} request={request} />}
      <Picture loaded={loaded} request={request} />
    </>
  )
}

function Picture({ loaded: { slug, event, picture }, request }: { loaded: Loaded; request: EventRequest }) {
  const { eventPage: texts } = request.voice.texts
  const upload = paths.eventPicture(event.id)
  return (
    <section class="card stack" aria-labelledby="picture">
      <h2 id="picture">{texts.picture}</h2>
      {picture === undefined ? (
        <p class="quiet">{texts.noPicture}</p>
      ) : (
        <>
          {slug !== null && (
            <FittingPicture
              class="picture"
              files={candidatesOf(picture)}
              addressOf={({ hash }) => paths.publicCover(slug, event.slug, hash)}
              shown="min(100vw, 30rem)"
            />
          )}
          <p class="quiet">{texts.pictureIs(picture.width, picture.height)}</p>
        </>
      )}
      <div class="row">
        <ButtonLink href={upload}>
          {picture === undefined ? texts.addPicture : texts.replacePicture}
        </ButtonLink>
        {picture !== undefined && (
          <PostButton action={paths.removeEventPicture(event.id)}>{texts.removePicture}</PostButton>
        )}
      </div>
    </section>
  )
}
