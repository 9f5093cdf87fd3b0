/** Debian's package `chromium` puts the browser here. */
export const CHROMIUM = '/usr/bin/chromium'
