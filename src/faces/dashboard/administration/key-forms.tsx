import { name } from '../../fields.ts'
import * as keys from '../../keys/rules.ts'
import { allScopes } from '../../keys/scopes.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choicesField, numberField, textField, timeField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { formPage } from '../form-page.ts'
import { OnceShown } from '../once-shown.tsx'
import { paths } from '../paths.ts'

const anyScopes = choicesField(
  allScopes,
  texts => allScopes.map(value => ({ value, label: texts.keys.scope[value] })),
  { label: texts => texts.keys.scopes },
)

const fields = {
  name: textField(name(), { label: texts => texts.keys.name, help: texts => texts.keys.nameHelp }),
  scopes: {
    ...anyScopes,
    parse: (...typed: Parameters<typeof anyScopes.parse>) => {
      const parsed = anyScopes.parse(...typed)
      return 'value' in parsed && parsed.value.length === 0
        ? { say: (texts: { keys: { tickScope: string } }) => texts.keys.tickScope }
        : parsed
    },
  },
  expires_at: timeField({ label: texts => texts.keys.expires, help: texts => texts.keys.expiresHelp }),
  rate_limit: numberField(0, keys.MAX_RATE_LIMIT, {
    label: texts => texts.keys.rateLimit,
    help: texts => texts.keys.rateLimitHelp,
  }),
}

/** Makes a key. Its text is in the answer alone; sent again, the form makes no second key. */
export const newKey = formPage('account', {
  path: '/a/{account}/keys/new',
  permission: 'keys',
  load: async () => undefined,
  fields: () => fields,
  initial: () => ({ rate_limit: keys.DEFAULT_RATE_LIMIT }),
  view: (_, { account, voice }, state) => {
    const { texts } = voice
    const { newTitle: title, newSubmit } = texts.keys
    const leave = paths.keys(account.id)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={leave}>{texts.keys.title}</a>} />
          <Form
            state={state}
            texts={texts}
            action={paths.newKey(account.id)}
            submit={newSubmit}
            leave={leave}
          />
        </>
      ),
    }
  },
  act: (tx, { account }, { values: { expires_at, rate_limit, ...values } }) =>
    keys.create(tx, account.id, { ...values, expiresAt: expires_at, rateLimit: rate_limit }),
  entry: () => ({
    action: 'key.create',
    targetType: 'api_key',
    targetOf: ({ id }) => id,
    details: (_, made) => (made === undefined ? {} : { name: made.name, scopes: made.scopes }),
  }),
  next: (_, { account }) => ({ path: paths.keys(account.id) }),
  once: ({ key, name }, { account, voice }) => {
    const { texts } = voice
    const title = texts.keys.madeTitle(name)
    return {
      title,
      body: (
        <OnceShown
          texts={texts}
          title={title}
          about={texts.keys.madeAbout}
          label={texts.keys.key}
          secret={key}
          done={{ href: paths.keys(account.id), text: texts.keys.done }}
        />
      ),
    }
  },
})

export const revokeKey = formPage('account', {
  path: '/a/{account}/keys/{key}/revoke',
  permission: 'keys',
  load: (tx, { account, params }) => keys.get(tx, account.id, params.key ?? ''),
  fields: () => ({}),
  view: (key, { account, voice }, state) => {
    const { texts, format } = voice
    const title = texts.keys.revokeTitle(key.name)
    const used =
      key.last_used_at === null
        ? texts.keys.revokeNeverUsed
        : texts.keys.revokeLastUsed(format.dateTime(key.last_used_at))
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.revokeKey(account.id, key.id)}
              submit={texts.keys.revokeSubmit}
              leave={paths.key(account.id, key.id)}
              isDanger
            >
              <ul class="will">
                <li>{texts.keys.revokeAtOnce}</li>
                <li>{used}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account }, { loaded }) => keys.revoke(tx, account.id, loaded.id),
  entry: ({ params }) => ({
    action: 'key.revoke',
    targetType: 'api_key',
    targetId: params.key,
    hasChanged: ({ changed }) => changed,
  }),
  next: ({ key }, { account }) => ({
    path: paths.keys(account.id),
    flash: flash('keyRevoked', { name: key.name }),
  }),
})
