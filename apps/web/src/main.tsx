import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles.css'
import { followTheme } from './lib/theme.ts'

followTheme()
const root = document.querySelector('#root')
if (root) createRoot(root).render(<StrictMode>Catenary</StrictMode>)
