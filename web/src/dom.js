// Small helpers for elements. Text is always set as text: names in scenes are not markup.
export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') node.className = value;
    else if (name in node && typeof value !== 'string') node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Also where the browser gives no clipboard, as to pages of other machines. Whether it worked.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = element('textarea', { 'aria-hidden': 'true', class: 'off-page' });
    box.value = text;
    document.body.append(box);
    box.select();
    const worked = document.execCommand('copy');
    box.remove();
    return worked;
  }
}

// A button that copies textOf() and says so for a while.
export function copies(button, textOf) {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    button.textContent = (await copied(textOf())) ? 'Copied' : 'Not allowed';
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
}
