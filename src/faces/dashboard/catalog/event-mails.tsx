import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { choiceField, tickField } from '#machinery/web/forms/field.ts'
import { may } from '#product/administration/users/roles.ts'
import type { reminders } from '#product/catalog/events/states.ts'
import { editOf, loadEvent, settingsParts } from './event-settings.tsx'
import { onlyThis, saveForFields, saveForRows } from './later-dates.tsx'

/** Who may be reminded, in the order in which the form offers it. */
const OFFERED = ['orders', 'all', 'off'] as const satisfies readonly (typeof reminders)[number][]

const fields = {
  reminder: choiceField(
    OFFERED,
    texts => OFFERED.map(value => ({ value, label: texts.eventPage.reminders[value] })),
    { label: texts => texts.eventPage.reminder },
    'radios',
  ),
  decision_mails: tickField({
    label: texts => texts.events.decisionMails,
    help: texts => texts.events.decisionMailsHelp,
  }),
}

/** Edits who gets which mails about an event, and leads to what they say. */
export const eventMails = formPage('event', {
  ...editOf('mails'),
  path: '/e/{event}/settings/mails',
  load: loadEvent,
  fields: ({ later }) => ({ ...fields, ...saveForFields(later) }),
  current: ({ event }) => ({ ...event, ...onlyThis }),
  parts: ({ later }, request, state) => {
    const { abstracts } = request.voice.texts
    return {
      ...settingsParts('mails', request, state),
      rows: [['reminder'], { legend: abstracts.title, names: ['decision_mails'] }, ...saveForRows(later)],
      rest: <WhatMailsSay request={request} />,
    }
  },
})

function WhatMailsSay({ request: { event, member, voice } }: { request: EventRequest }) {
  const { messages, eventSettings: texts } = voice.texts
  if (!may(member.role, OF_MESSAGES.permission)) return null
  return (
    <section class="card stack" aria-labelledby="texts">
      <h2 id="texts">{messages.texts}</h2>
      <p class="quiet">{messages.textsAbout}</p>
      <div class="row">
        <ButtonLink href={paths.messageTexts(event.id)}>{texts.toTexts}</ButtonLink>
      </div>
    </section>
  )
}
