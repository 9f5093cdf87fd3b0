export const registrationStatuses = ['pending', 'confirmed', 'failed', 'refunded', 'cancelled'] as const
export const registrationSources = ['checkout', 'api'] as const
export const languages = ['en', 'es'] as const
