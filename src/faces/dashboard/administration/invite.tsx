import * as links from '../../users/links.ts'
import { tellInvitation } from '../../users/mails.ts'
import { Head } from '../../web/components/parts.tsx'
import { emailField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { EventTitles } from '../event-titles.ts'
import { formPage } from '../form-page.ts'
import { OnceShown } from '../once-shown.tsx'
import { paths } from '../paths.ts'
import { loadOffered, partFields, partOf } from './member-fields.ts'

function fieldsOf(offered: EventTitles) {
  return {
    email: emailField({ label: texts => texts.team.email, help: texts => texts.team.emailHelp }),
    ...partFields(offered),
  }
}

/** Invites somebody, by mail where there is any. The link is in the answer alone too: a mail may not arrive. */
export const invite = formPage('account', {
  path: '/a/{account}/team/invite',
  permission: 'people',
  load: async (tx, { account }, { mail }) => ({
    offered: await loadOffered(tx, account.id),
    isMailed: mail.isSetUp,
  }),
  fields: ({ offered }) => fieldsOf(offered),
  initial: () => ({ extent: 'all' as const }),
  view: (_, { account, voice }, state) => {
    const { texts } = voice
    const { inviteTitle: title, inviteSubmit } = texts.team
    const leave = paths.team(account.id)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={leave}>{texts.team.title}</a>} />
          <Form
            state={state}
            texts={texts}
            action={paths.invite(account.id)}
            submit={inviteSubmit}
            leave={leave}
          >
            <FieldRows state={state} texts={texts} />
          </Form>
        </>
      ),
    }
  },
  act: async (tx, { account, user }, { values: { email, ...part }, loaded: { isMailed } }) => {
    const made = await links.invite(tx, account.id, { email, ...partOf(part) })
    if (isMailed) await tellInvitation(tx, account.id, made, user.language)
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
