import { accountSettings } from './account-settings.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { flash } from './flash.ts'
import { keys } from './keys.ts'
import { log } from './log.ts'
import { navigation } from './navigation.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { profile } from './profile.ts'
import { signIn } from './sign-in.ts'
import { team } from './team.ts'

export const en = {
  page,
  events,
  faults,
  flash,
  navigation,
  overview,
  people,
  problems,
  signIn,
  accountSettings,
  keys,
  log,
  profile,
  team,
}
