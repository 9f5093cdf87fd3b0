import * as links from '../../users/links.ts'
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

/** Invites somebody. The link is in the answer alone, as there is no mail yet. */
export const invite = formPage('account', {
  path: '/a/{account}/team/invite',
  permission: 'people',
  load: (tx, { account }) => loadOffered(tx, account.id),
  fields: fieldsOf,
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
  act: (tx, { account }, { values: { email, ...part } }) =>
    links.invite(tx, account.id, { email, ...partOf(part) }),
  entry: () => ({
    action: 'invitation.create',
    targetType: 'invitation',
    targetOf: ({ invitation }) => invitation.id,
    details: (_, made) =>
      made === undefined ? {} : { role: made.invitation.role, event_ids: made.invitation.event_ids },
  }),
  next: (_, { account }) => ({ path: paths.team(account.id) }),
  once: ({ token, invitation }, { account, voice }, { baseUrl }) => {
    const { texts } = voice
    const title = texts.team.invitedTitle(invitation.email)
    return {
      title,
      body: (
        <OnceShown
          texts={texts}
          title={title}
          about={texts.team.invitedAbout}
          label={texts.team.link}
          secret={links.linkUrl(baseUrl, 'invitation', token)}
          done={{ href: paths.team(account.id), text: texts.team.done }}
        />
      ),
    }
  },
})
