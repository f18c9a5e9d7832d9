/** What to put before a command so that it obeys the permissions of files, as root too. */
export const obeyingPermissions: readonly string[] =
  process.getuid?.() === 0
    ? ['setpriv', '--inh-caps=-dac_override,-dac_read_search', '--bounding-set=-dac_override,-dac_read_search']
    : []
