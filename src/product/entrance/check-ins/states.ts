export const checkInSources = ['scanner', 'api'] as const
