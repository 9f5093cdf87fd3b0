import type { EventTitles } from '#faces/dashboard/catalog/event-titles.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { OnceShown } from '#faces/dashboard/frame/once-shown.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { emailField } from '#machinery/web/forms/field.ts'
import * as links from '#product/administration/users/links.ts'
import { queueInvitation } from '#product/administration/users/mails.ts'
import { loadOffered, partFields, partOf } from './member-fields.ts'

function fieldsOf(offered: EventTitles) {
  return {
    email: emailField({ label: texts => texts.team.email, help: texts => texts.team.emailHelp }),
    ...partFields(offered),
  }
}

/**
 * Invites a person, by mail if the server sends any. The answer to the form shows the link too, because a mail may not arrive.
 */
export const invite = formPage('account', {
  path: '/a/{account}/team/invite',
  permission: 'people',
  load: async (tx, _, { mail }) => ({
    offered: await loadOffered(tx),
    isMailed: mail.isSetUp,
  }),
  fields: ({ offered }) => fieldsOf(offered),
  initial: () => ({ extent: 'all' as const }),
  parts: (_, { account, voice }) => {
    const { inviteTitle: title, inviteSubmit: submit, title: crumbs } = voice.texts.team
    return { title, crumbs, submit, leave: paths.team(account.id) }
  },
  act: async (tx, { user }, { values: { email, ...part }, loaded: { isMailed } }) => {
    const made = await links.invite(tx, { email, ...partOf(part) })
    if (isMailed) await queueInvitation(tx, made, user.language)
    return made
  },
  entry: () => ({
    action: 'invitation.create',
    targetType: 'invitation',
    targetOf: ({ invitation }) => invitation.id,
    details: (_, made) =>
      made === undefined ? {} : { role: made.invitation.role, event_ids: made.invitation.event_ids },
  }),
  next: (_, { account }) => ({ path: paths.team(account.id) }),
  once: ({ token, invitation }, { account, voice }, { baseUrl, mail }) => {
    const { texts } = voice
    const title = texts.team.invitedTitle(invitation.email)
    return {
      title,
      body: (
        <OnceShown
          texts={texts}
          title={title}
          about={mail.isSetUp ? texts.team.invitedMailed(invitation.email) : texts.team.invitedAbout}
          label={texts.team.link}
          secret={links.linkUrl(baseUrl, 'invitation', token)}
          done={{ href: paths.team(account.id), text: texts.team.done }}
        />
      ),
    }
  },
})
