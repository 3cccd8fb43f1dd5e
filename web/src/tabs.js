// The tabs of the panel, and the panel as a drawer on small windows.
import { byId } from './dom.js';

// Of the tabs in the page those that are named.
export function makeTabs(names) {
  const all = [...document.querySelectorAll('[role="tab"]')];
  const tabs = all.filter((tab) => names.includes(tab.id.replace('tab-', '')));
  for (const tab of all) tab.hidden = !tabs.includes(tab);
  const select = (tab, focus) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      byId(other.getAttribute('aria-controls')).hidden = !chosen;
    }
    if (focus) tab.focus();
  };
  tabs.forEach((tab, k) => {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      select(tabs[(k + step + tabs.length) % tabs.length], true);
    });
  });
  select(tabs[0]);
  return (name) => select(byId(`tab-${name}`) ?? tabs[0]);
}

// The panel: open beside the picture at first, closed below it on small windows. Returns open(wanted).
export function makeDrawer() {
  const button = byId('drawer');
  const small = window.matchMedia('(max-width: 700px)');
  const open = (wanted) => {
    byId('panel').classList.toggle('open', wanted);
    byId('panel').classList.toggle('folded', !wanted);
    button.setAttribute('aria-expanded', String(wanted));
  };
  open(!small.matches);
  small.addEventListener('change', () => open(!small.matches));
  button.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && small.matches) open(false);
  });
  return open;
}
