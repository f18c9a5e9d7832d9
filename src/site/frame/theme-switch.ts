/** The switch between light and dark: radio buttons that the style sheet reads, so that it works without a script. */

const themes = [
  ['system', 'System', '<path d="M8 2a6 6 0 0 0 0 12z" fill="currentColor"/><circle cx="8" cy="8" r="6"/>'],
  [
    'light',
    'Light',
    '<circle cx="8" cy="8" r="3"/><path d="M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"/>',
  ],
  ['dark', 'Dark', '<path d="M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z"/>'],
] as const

export const themeSwitch = `<fieldset class="theme"><legend>Colours</legend>${themes.map(theme).join('')}</fieldset>`

function theme([id, label, drawing]: (typeof themes)[number]): string {
  return `<label title="${label}"><input type="radio" name="theme" id="theme-${id}" value="${id}"${id === 'system' ? ' checked' : ''}><svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${drawing}</svg><span class="words">${label}</span></label>`
}
