/** Lists how often tickets of a type may admit. */
export const entryModes = ['once', 'each_day'] as const
