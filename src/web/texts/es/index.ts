import type { Texts } from '../texts.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { flash } from './flash.ts'
import { imports } from './imports.ts'
import { navigation } from './navigation.ts'
import { overview } from './overview.ts'
import { page } from './page.ts'
import { people } from './people.ts'
import { problems } from './problems.ts'
import { signIn } from './sign-in.ts'

export const es: Texts = {
  page,
  events,
  faults,
  flash,
  imports,
  navigation,
  overview,
  people,
  problems,
  signIn,
}
