/** This is the only list of scopes (specification section 5). */
export const scopes = {
  'events:read': 'read events and registration types',
  'registrations:read': 'read registrations and attendees',
  'registrations:write': 'create (import) and cancel registrations',
  'checkins:read': 'read check-ins',
  'checkins:write': 'record check-ins',
  'abstracts:read': 'read abstracts',
  'abstracts:write': 'decide abstracts',
  'reports:read': 'export reports',
} as const

export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as Scope[]
