import { Empty, Head } from '../../web/components/parts.tsx'
import type { OfUser } from '../asked.ts'
import { goTo } from '../destination.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { answerView } from '../show.tsx'

/** Leads to the only organization of whoever has signed in, or asks which. */
export const home: PageAt<'user'> = {
  path: '',
  level: 'user',
  get: async (services, context, asked) => {
    const [only, ...others] = asked.memberships
    if (only !== undefined && others.length === 0) {
      return goTo(services, context, { path: paths.events(only.account.id), flash: asked.flash })
    }
    const title = asked.voice.texts.people.yourOrganizations
    await answerView(context, { level: 'user', path: '' }, asked, {
      title,
      body: <Organizations asked={asked} title={title} />,
    })
  },
}

function Organizations({ asked, title }: { asked: OfUser; title: string }) {
  const { memberships, voice } = asked
  const { people } = voice.texts
  if (memberships.length === 0) {
    return (
      <Empty icon="guests" title={people.noOrganization}>
        {people.noOrganizationAbout}
      </Empty>
    )
  }
  return (
    <>
      <Head title={title} />
      <div class="card">
        <Memberships asked={asked} />
      </div>
    </>
  )
}

/** The organizations of whoever is signed in, each with what they are in it. */
export function Memberships({ asked: { memberships, voice } }: { asked: OfUser }) {
  return (
    <ul class="todo">
      {memberships.map(({ account, role }) => (
        <li key={account.id}>
          <a href={paths.events(account.id)}>
            <bdi>{account.name}</bdi>
          </a>
          <span class="quiet">{voice.texts.people.roles[role]}</span>
        </li>
      ))}
    </ul>
  )
}
