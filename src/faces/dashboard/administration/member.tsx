import type { ReadTx } from '../../db/port.ts'
import { Problem } from '../../problem.ts'
import * as links from '../../users/links.ts'
import { tellReset } from '../../users/mails.ts'
import * as users from '../../users/rules.ts'
import type { Member } from '../../users/schemas.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfAccount } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { OnceShown } from '../once-shown.tsx'
import { paths } from '../paths.ts'
import { loadOffered, partFields, partOf, valuesOfPart } from './member-fields.ts'

/** The pages about one member of an account. */

/** @throws Problem not_found */
async function loadMember(tx: ReadTx, { account, params }: OfAccount): Promise<Member> {
  const member = (await users.list(tx, account.id)).find(({ id }) => id === params.member)
  if (member === undefined) throw new Problem('not_found')
  return member
}

function isSelf({ user }: Member, asked: OfAccount): boolean {
  return user.id === asked.user.id
}

/** Whoever has given up the team cannot be led to its page. */
function afterwards(member: Member, asked: OfAccount): string {
  return isSelf(member, asked) && member.role !== 'owner'
    ? paths.events(asked.account.id)
    : paths.team(asked.account.id)
}

export const editMember = formPage('account', {
  path: '/a/{account}/team/{member}',
  permission: 'people',
  load: async (tx, asked) => {
    const member = await loadMember(tx, asked)
    return { member, offered: await loadOffered(tx, asked.account.id, member.event_ids ?? []) }
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
                <ButtonLink href={paths.removeMember(account.id, member.id)}>{remove}</ButtonLink>
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
  act: (tx, { account }, { values, loaded: { member } }) =>
    users.changeMember(tx, account.id, member.id, partOf(values)),
  entry: ({ params }, changed) => ({
    action: 'member.update',
    targetType: 'member',
    targetId: params.member,
    details: (_, member) => ({ changed: changed(), role: member?.role, event_ids: member?.event_ids }),
  }),
  next: (member, asked) => ({
    path: afterwards(member, asked),
    flash: flash('memberSaved', { name: member.user.name }),
  }),
})

export const removeMember = formPage('account', {
  path: '/a/{account}/team/{member}/remove',
  permission: 'people',
  load: loadMember,
  fields: () => ({}),
  view: (member, asked, state) => {
    const { account, voice } = asked
    const { team: texts } = voice.texts
    const title = texts.removeTitle(member.user.name)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} about={<bdi>{member.user.email}</bdi>} />
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.removeMember(account.id, member.id)}
              submit={texts.removeSubmit}
              leave={paths.member(account.id, member.id)}
              isDanger
            >
              <ul class="will">
                <li>{isSelf(member, asked) ? texts.removeSelf : texts.removeAtOnce}</li>
                <li>{texts.removeKeeps}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account }, { loaded }) => users.removeMember(tx, account.id, loaded.id),
  entry: ({ params }) => ({ action: 'member.remove', targetType: 'member', targetId: params.member }),
  next: (member, asked) => ({
    path: isSelf(member, asked) ? paths.home : paths.team(asked.account.id),
    flash: flash('memberRemoved', { name: member.user.name }),
  }),
})

/** A link to choose a new password, by mail where there is any. It is in the answer alone too: a mail may not arrive. */
export const resetMember = formPage('account', {
  path: '/a/{account}/team/{member}/reset',
  permission: 'people',
  load: async (tx, asked, { mail }) => ({ member: await loadMember(tx, asked), isMailed: mail.isSetUp }),
  fields: () => ({}),
  view: ({ member }, { account, voice }, state) => {
    const { team: texts } = voice.texts
    const title = texts.resetTitle(member.user.name)
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} about={<bdi>{member.user.email}</bdi>} />
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.resetMember(account.id, member.id)}
              submit={texts.resetSubmit}
              leave={paths.member(account.id, member.id)}
            >
              <ul class="will">
                <li>{texts.resetWhoever}</li>
                <li>{texts.resetOnce}</li>
                <li>{texts.resetEnds}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: async (tx, { account, user: by }, { loaded: { member, isMailed } }) => {
    const made = await links.makeResetOfMember(tx, account.id, member.id, by.id)
    if (isMailed) await tellReset(tx, account.id, made.user, made)
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
