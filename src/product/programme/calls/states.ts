/** Says whether an abstract comes with a file. */
export const fileModes = ['none', 'optional', 'required'] as const
