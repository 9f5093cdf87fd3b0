import { name } from '#base/fields.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { OnceShown } from '#faces/dashboard/frame/once-shown.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { choicesField, numberField, textField, timeField } from '#machinery/web/forms/field.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'

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

/** Makes a key. Only the answer to the form shows its text. The same form sent again makes no second key. */
export const newKey = formPage('account', {
  path: '/a/{account}/keys/new',
  permission: 'keys',
  load: async () => undefined,
  fields: () => fields,
  initial: () => ({ rate_limit: keys.DEFAULT_RATE_LIMIT }),
  parts: (_, { account, voice }) => {
    const { newTitle: title, newSubmit: submit, title: crumbs } = voice.texts.keys
    return { title, crumbs, submit, leave: paths.keys(account.id) }
  },
  act: (tx, _, { values: { expires_at, rate_limit, ...values } }) =>
    keys.create(tx, { ...values, expiresAt: expires_at, rateLimit: rate_limit }),
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
  load: (tx, { params }) => keys.get(tx, params.key ?? ''),
  fields: () => ({}),
  parts: ({ id, name, last_used_at: used }, { account, voice }) => {
    const { keys: texts } = voice.texts
    return {
      ...{ title: texts.revokeTitle(name), isOfPeople: true },
      ...{ submit: texts.revokeSubmit, isDanger: true, keeps: 'key', leave: paths.key(account.id, id) },
      will: [
        texts.revokeAtOnce,
        used === null ? texts.revokeNeverUsed : texts.revokeLastUsed(voice.format.dateTime(used)),
      ],
    }
  },
  act: (tx, _, { loaded }) => keys.revoke(tx, loaded.id),
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
