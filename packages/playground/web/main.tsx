import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { paintStoredTheme } from './layout/theme.js';
import './styles/index.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
paintStoredTheme();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
