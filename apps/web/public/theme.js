// Blocking on purpose: the theme is known before the first paint.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('catenary.theme')
  } catch {}
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]').content = dark ? '#101518' : '#ffffff'
})()
