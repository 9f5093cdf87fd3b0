import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { OnceShown } from '#faces/dashboard/frame/once-shown.tsx'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import * as links from '#product/administration/users/links.ts'
import { queueReset } from '#product/administration/users/mails.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Member } from '#product/administration/users/schemas.ts'
import { loadOffered, partFields, partOf, valuesOfPart } from './member-fields.ts'

/** These are the pages about one member of an account. */

/** @throws Problem not_found */
async function loadMember(tx: ReadTx, { params }: AccountRequest): Promise<Member> {
  const member = (await users.list(tx)).find(({ id }) => id === params.member)
  if (member === undefined) throw new Problem('not_found')
  return member
}

function isSelf({ user }: Member, request: AccountRequest): boolean {
  return user.id === request.user.id
}

/** Returns where a change leads. Users who have given up the right to see the team cannot be led to its page. */
function afterwards(member: Member, request: AccountRequest): string {
  return isSelf(member, request) && member.role !== 'owner'
    ? paths.events(request.account.id)
    : paths.team(request.account.id)
}

export const editMember = formPage('account', {
  path: '/a/{account}/team/{member}',
  permission: 'people',
  load: async (tx, request) => {
    const member = await loadMember(tx, request)
    return { member, offered: await loadOffered(tx, member.event_ids ?? []) }
  },
  fields: ({ offered }) => partFields(offered),
  current: ({ member }) => valuesOfPart(member),
  view: ({ member }, { account, voice }, state) => {
    const { texts } = voice
    const { title: team, memberTitle, remove, reset } = texts.team
    const { name, email } = member.user
    return {
      title: name,
      body: (
        <>
          <Head
            title={<bdi>{name}</bdi>}
            crumbs={<a href={paths.team(account.id)}>{team}</a>}
            about={<bdi>{email}</bdi>}
            actions={
              <>
                <ButtonLink href={paths.resetMember(account.id, member.id)}>{reset}</ButtonLink>
                <ButtonLink href={paths.removeMember(account.id, member.id)} isDestructive>
                  {remove}
                </ButtonLink>
              </>
            }
          />
          <section class="card" aria-labelledby="part">
            <h2 id="part">{memberTitle}</h2>
            <Form
              state={state}
              texts={texts}
              action={paths.member(account.id, member.id)}
              submit={texts.page.save}
              leave={paths.team(account.id)}
            />
          </section>
        </>
      ),
    }
  },
  act: (tx, _, { values, loaded: { member } }) => users.changeMember(tx, member.id, partOf(values)),
  entry: ({ params }, changed) => ({
    action: 'member.update',
    targetType: 'member',
    targetId: params.member,
    details: (_, member) => ({ changed: changed(), role: member?.role, event_ids: member?.event_ids }),
  }),
  next: (member, request) => ({
    path: afterwards(member, request),
    flash: flash('memberSaved', { name: member.user.name }),
  }),
})

/** Returns the parts that a page shows when it asks something about a member. */
function aboutMember(
  { id, user: { name, email } }: Member,
  { account }: AccountRequest,
  title: (name: string) => string,
) {
  const leave = paths.member(account.id, id)
  return { title: title(name), isOfPeople: true, about: <bdi>{email}</bdi>, leave }
}

export const removeMember = formPage('account', {
  path: '/a/{account}/team/{member}/remove',
  permission: 'people',
  load: loadMember,
  fields: () => ({}),
  parts: (member, request) => {
    const { team: texts } = request.voice.texts
    return {
      ...aboutMember(member, request, texts.removeTitle),
      ...{ submit: texts.removeSubmit, isDanger: true, keeps: 'member' },
      will: [isSelf(member, request) ? texts.removeSelf : texts.removeAtOnce, texts.removeKeeps],
    }
  },
  act: (tx, _, { loaded }) => users.removeMember(tx, loaded.id),
  entry: ({ params }) => ({ action: 'member.remove', targetType: 'member', targetId: params.member }),
  next: (member, request) => ({
    path: isSelf(member, request) ? paths.home : paths.team(request.account.id),
    flash: flash('memberRemoved', { name: member.user.name }),
  }),
})

/**
 * Makes a link to choose a new password, and mails it if the server sends mail. The answer to the form shows the link too,
 * because a mail may not arrive.
 */
export const resetMember = formPage('account', {
  path: '/a/{account}/team/{member}/reset',
  permission: 'people',
  load: async (tx, request, { mail }) => ({ member: await loadMember(tx, request), isMailed: mail.isSetUp }),
  fields: () => ({}),
  parts: ({ member }, request) => {
    const { team: texts } = request.voice.texts
    return {
      ...aboutMember(member, request, texts.resetTitle),
      submit: texts.resetSubmit,
      will: [texts.resetHolder, texts.resetOnce, texts.resetEnds],
    }
  },
  act: async (tx, { user: by }, { loaded: { member, isMailed } }) => {
    const made = await links.makeResetOfMember(tx, member.id, by.id)
    if (isMailed) await queueReset(tx, made.user, made)
    return made
  },
  entry: () => ({ action: 'user.reset_link', targetType: 'user', targetOf: ({ user }) => user.id }),
  next: (_, { account, params }) => ({ path: paths.member(account.id, params.member ?? '') }),
  once: ({ token, user }, { account, voice }, { baseUrl, mail }) => {
    const { texts } = voice
    const title = texts.team.resetDone(user.name)
    return {
      title,
      body: (
        <OnceShown
          texts={texts}
          title={title}
          about={mail.isSetUp ? texts.team.resetMailed(user.email) : texts.team.resetAbout}
          label={texts.team.link}
          secret={links.linkUrl(baseUrl, 'reset', token)}
          done={{ href: paths.team(account.id), text: texts.team.done }}
        />
      ),
    }
  },
})
