import 'react-dom/client'
import './styles.css'

// React and the app are evaluated in tasks of their own: together they would hold a phone up for half a second.
void import('./start.tsx')
