import {
  Autocomplete,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  Rating,
  Switch,
  TextField,
} from '@mui/material';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const films = ['Alien', 'Amadeus', 'Brazil', 'Casablanca', 'Fargo', 'Metropolis', 'Stalker', 'Vertigo'];

function App() {
  const [isOpen, setOpen] = useState(false);
  const [film, setFilm] = useState(null);
  const [stars, setStars] = useState(2);
  const [isPublic, setPublic] = useState(false);
  const [sent, setSent] = useState(null);
  window.state = () => sent;
  return (
    <>
      <h1>Film club</h1>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Write a review
      </Button>
      <p>{sent ? `${sent.film}: ${sent.stars} stars` : 'No review yet'}</p>
      <Dialog open={isOpen} onClose={() => setOpen(false)} aria-labelledby="title">
        <DialogTitle id="title">Review</DialogTitle>
        <DialogContent>
          <Autocomplete
            sx={{ width: 300, mt: 1 }}
            options={films}
            value={film}
            onChange={(_, value) => setFilm(value)}
            renderInput={params => <TextField {...params} label="Film" />}
          />
          <Rating name="stars" value={stars} onChange={(_, value) => setStars(value)} />
          <FormControlLabel
            control={<Switch checked={isPublic} onChange={event => setPublic(event.target.checked)} />}
            label="Everybody may read it"
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button
            disabled={film === null}
            onClick={() => {
              setSent({ film, stars, isPublic });
              setOpen(false);
            }}
          >
            Send
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
createRoot(document.querySelector('#app')).render(<App />);
